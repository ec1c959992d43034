import type { Person } from '../../../operations/people/sessions.ts';
import { html } from '../../../web/html.ts';
import type { PageContext, Shown } from '../../base/page.ts';
import { wordsIn } from '../../words/words.ts';
import { nameOf } from './people-parts.ts';

/** The link by which somebody chooses a password, shown once, and mailed if there is a mail server. It is in no address of a page. */
export function handOver({ deps: { entry }, req, words }: PageContext, { person, link }: { person: Person; link: string }): Shown {
  // Who is signed in reached the console there; only a mail needs an address that is configured.
  const url = `${entry.url ?? req.get('origin') ?? ''}${link}`;
  const { subject, text } = wordsIn(person.lang).entry.mail.added;
  entry.post?.(async () => ({ to: person.email, subject, text: text(url) }));
  const { people } = words;
  return {
    title: people.linkTitle(nameOf(person)),
    place: 'people',
    body: html`<p role="status">${entry.post === null ? people.link : people.linkMailed}</p>
<p class="link"><code>${url}</code></p>
<p><a href="/console/people">${people.back}</a></p>`,
  };
}
