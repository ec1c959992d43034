<?php
/**
 * Loads the plugin, and a store that has what it calls of WordPress and WooCommerce.
 *
 * @package Orderbridge
 */

const ABSPATH = __DIR__ . '/';

require_once __DIR__ . '/../../opencart/test/ShopDatabase.php';
require_once __DIR__ . '/Store.php';
require_once __DIR__ . '/../orderbridge/orderbridge.php';
