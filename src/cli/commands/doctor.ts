import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/doctor.ts');

/** `orderbridge doctor` */
export function doctorCommand(context: CliContext): Command {
  return new Command('doctor')
    .description(
      'Tells all that `orderbridge status` does, and what is right, too. Checks the configuration, the database, the queue (that none is paused; with the persistence and eviction policy of Redis), the compliance API ' +
        '(that it can be reached and takes the keys, by a DELETE of an order that can’t exist, which must answer 404), with our own one also the mail server, ' +
        'exchange rates and audit files; of each connected store whether its shop is known, its key reads orders, and when its last webhook came; ' +
        'the identity provider, if there is one; PUBLIC_URL, orders that seem to be left out or to lack their VAT, the disk and the clock, ' +
        'and prints every setting of the requests to the compliance API. Exit code 1 if something is wrong, 0 if things only wait for a person.',
    )
    .action(() => withCore(context, async (core) => (await actions()).doctor(context, core)));
}
