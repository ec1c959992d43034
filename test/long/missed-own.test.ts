import { missedOf } from '../support/missed/all-missed.ts';

missedOf('own');
