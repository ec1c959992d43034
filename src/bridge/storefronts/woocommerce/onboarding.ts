import type { StoreOnboarding } from '../onboarding.ts';
import { guide } from './guide.ts';
import { handOver } from './hand-over.ts';
import { look } from './look.ts';
import { prove } from './prove.ts';
import { survey } from './survey.ts';
import { touch } from './touch.ts';

/** A merchant connects his store by its address: the store hands its keys over, or he pastes them. */
export const onboarding: StoreOnboarding = { title: 'WooCommerce', look, prove, handOver, survey, touch, guide };
