import { css } from '../../web/css.ts';

/** What the pages have beside the summary: ways, forms, lists of months. */
export const portalStyle = css`
a { color: #14506b; }
h1, h2, .sheet p { overflow-wrap: anywhere; }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible, .scroll:focus-visible { outline: 3px solid #b26a00; outline-offset: 2px; }
.ways { margin-bottom: 18px; font-size: 15px; }
.ways a { display: inline-block; margin-right: 22px; padding: 10px 0; }
form { margin-top: 18px; padding: 18px 20px; border: 1px solid #d5dbe1; border-radius: 4px; }
form > p { margin-top: 4px; color: #3b4754; }
.field { margin-top: 14px; }
.field label { display: block; font-weight: 600; }
.field .optional { color: #52606d; font-weight: 400; }
.field input, .field select, .field textarea { display: block; width: 100%; max-width: 460px; min-height: 44px; margin-top: 4px; padding: 8px 10px; border: 1px solid #6b7885; border-radius: 3px; background: #fff; color: #1b2530; font: inherit; }
.field textarea { max-width: none; min-height: 96px; }
.check { margin-top: 14px; }
.check label { display: flex; gap: 10px; align-items: flex-start; }
.check input { flex: none; width: 22px; height: 22px; margin: 2px 0 0; }
button { min-height: 44px; margin-top: 18px; padding: 8px 20px; border: 0; border-radius: 3px; background: #14506b; color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
button:hover { background: #0f3d52; }
.files a { margin-right: 14px; padding: 6px 0; }
.filed-mark { color: #1d6b43; font-weight: 600; white-space: nowrap; }
.plain p { margin-top: 12px; }
@media print { .ways, form { display: none; } }
`;
