import { InvalidArgumentError, Option } from 'commander';

const LONGEST = 500;

/** Why a person decided so, for the trail. */
export function whyOption(): Option {
  return new Option('--why <text>', 'why, for `orderbridge activity`; without buyers’ data, since it is never erased').argParser((text: string) => {
    const words = text.trim();
    if (words === '' || words.length > LONGEST) throw new InvalidArgumentError(`It must be text of at most ${LONGEST} characters.`);
    return words;
  });
}
