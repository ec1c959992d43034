import { chooseLanguage } from '../../operations/people/sign-in.ts';
import type { Page } from '../base/page.ts';

/** `POST /console/language`: the language of a person, for this and all other browsers of theirs. */
export const languagePage: Page = {
  path: '/language',
  right: 'orders.see',
  post: {
    right: 'orders.see',
    async act({ deps, person }, form) {
      await chooseLanguage(deps, person, form.text('lang') === 'bg' ? 'bg' : 'en');
      return { goTo: ownAddress(form.text('at')) };
    },
  },
};

/** An address of the console alone, whatever dots and backslashes a browser would make of it. */
export function ownAddress(address: string): string {
  const url = URL.parse(address, HERE);
  const isOwn = /^\/console[^\\\s]*$/.test(address) && url?.origin === HERE && /^\/console(?:\/|$)/.test(url.pathname);
  return isOwn ? url.pathname + url.search : '/console';
}

const HERE = 'http://console.invalid';
