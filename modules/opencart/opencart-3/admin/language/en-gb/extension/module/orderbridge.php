<?php

$_['heading_title'] = 'Orderbridge';
