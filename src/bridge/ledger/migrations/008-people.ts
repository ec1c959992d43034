import type { Migration } from '../../../platform/postgres/migrate.ts';
import { activity } from './008/activity.ts';
import { asked } from './008/asked.ts';
import { listing } from './008/listing.ts';
import { onboardings } from './008/onboardings.ts';
import { people } from './008/people.ts';
import { proposals } from './008/proposals.ts';
import { requests } from './008/requests.ts';
import { runs } from './008/runs.ts';
import { tasks } from './008/tasks.ts';
import { trial } from './008/trial.ts';

/** The people of the console, and what its pages need. */
export const peopleOfTheConsole: Migration = {
  version: 8,
  name: 'people',
  sql: people + runs + asked + listing + activity + requests + proposals + tasks + onboardings + trial,
};
