import { css } from '../../../web/html.ts';

/** The look of the page: a sheet on a desk, a column on a phone, colour only for the status of the month. */
export const summaryStyle = css`
* { box-sizing: border-box; }
body { margin: 0; padding: 24px 12px; background: #eceff2; color: #1b2530; font: 16px/1.5 "Segoe UI", "Helvetica Neue", Arial, "Liberation Sans", sans-serif; }
p, h1, h2, h3, ul, ol, dl, dd { margin: 0; padding: 0; }
ul { list-style: none; }
.sheet { max-width: 920px; margin: 0 auto; padding: 44px 52px; background: #fff; border: 1px solid #d5dbe1; border-top: 6px solid #14506b; border-radius: 4px; }
.kind { color: #14506b; font-size: 14px; font-weight: 600; }
h1 { margin-top: 4px; font-size: 34px; line-height: 1.2; font-weight: 700; }
.shop { margin-top: 4px; font-size: 20px; overflow-wrap: anywhere; }
.identity { margin-top: 14px; font-size: 14px; }
.identity li { display: inline-block; margin-right: 26px; overflow-wrap: anywhere; }
.identity b { font-weight: 600; }
.label { color: #52606d; }
.status { margin-top: 26px; padding: 16px 20px; border-left: 5px solid #14506b; background: #e9f1f5; }
.badge { font-size: 18px; font-weight: 700; color: #14506b; }
.words { margin-top: 2px; }
.status.good { border-color: #1d6b43; background: #e8f4ed; }
.good .badge { color: #1d6b43; }
.status.problem { border-color: #a52222; background: #fbebea; }
.problem .badge, .problem h2 { color: #a52222; }
.status.quiet { border-color: #52606d; background: #f1f3f5; }
.quiet .badge { color: #3b4754; }
.figures { display: table; width: 100%; margin-top: 26px; table-layout: fixed; }
.figures li { display: table-cell; padding: 0 16px; border-left: 1px solid #d5dbe1; }
.figures li:first-child { padding-left: 0; border-left: 0; }
.figures .label { display: block; font-size: 14px; }
.figures b { font-size: 22px; font-weight: 700; white-space: nowrap; font-variant-numeric: tabular-nums; }
section { margin-top: 34px; }
section p + p, .scroll + p { margin-top: 8px; }
h2 { margin-bottom: 8px; font-size: 20px; line-height: 1.3; font-weight: 700; }
h3 { font-size: 16px; font-weight: 600; }
.steps { padding-left: 26px; }
.steps li { margin-top: 8px; padding-left: 6px; }
.steps li::marker { color: #14506b; font-weight: 700; }
code { display: block; margin-top: 6px; padding: 8px 12px; background: #f1f3f5; border: 1px solid #d5dbe1; border-radius: 3px; font: 13px/1.5 Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.entries li { margin-top: 10px; padding: 12px 16px; border: 1px solid #d5dbe1; border-left: 4px solid #b26a00; border-radius: 3px; overflow-wrap: anywhere; }
.problem .entries li { border-left-color: #a52222; }
.entries p { margin-top: 4px; }
.detail { color: #3b4754; font-size: 15px; }
.scroll { margin-top: 10px; overflow-x: auto; background: linear-gradient(to right, #fff 40%, rgba(255,255,255,0)) left / 60px 100% no-repeat local, linear-gradient(to left, #fff 40%, rgba(255,255,255,0)) right / 60px 100% no-repeat local, linear-gradient(to left, #c9d1d8, rgba(201,209,216,0)) right / 12px 100% no-repeat scroll; }
table { width: 100%; border-collapse: collapse; font-size: 15px; line-height: 1.4; }
th, td { padding: 7px 10px; text-align: left; vertical-align: top; border-bottom: 1px solid #e1e6ea; }
th { color: #3b4754; font-size: 14px; font-weight: 600; vertical-align: bottom; border-bottom: 2px solid #14506b; }
td:first-child { overflow-wrap: anywhere; min-width: 90px; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tfoot td { font-weight: 700; border-top: 2px solid #14506b; border-bottom: 0; }
dl div { padding: 6px 0; border-bottom: 1px solid #e1e6ea; }
dt { display: inline-block; width: 120px; color: #52606d; vertical-align: top; }
dd { display: inline-block; width: calc(100% - 130px); overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
footer { margin-top: 38px; padding-top: 14px; border-top: 1px solid #d5dbe1; color: #52606d; font-size: 14px; }
@media (max-width: 640px) {
  body { padding: 0; background: #fff; }
  .sheet { padding: 22px 16px 28px; border-width: 6px 0 0; border-radius: 0; }
  h1 { font-size: 28px; }
  .shop { font-size: 18px; }
  .identity li { display: block; }
  .status { padding: 14px 16px; }
  .figures { display: block; border-top: 1px solid #d5dbe1; }
  .figures li, .figures li:first-child { display: block; padding: 8px 0; border-left: 0; border-bottom: 1px solid #d5dbe1; overflow: hidden; }
  .figures .label { float: left; padding-top: 4px; font-size: 15px; }
  .figures b { float: right; font-size: 19px; }
  table { font-size: 14px; }
  th { font-size: 13px; }
  th, td { padding: 7px 6px; }
  td:first-child { min-width: 64px; }
  dt, dd { display: block; width: auto; }
}
`;

/** On A4, in addition: a month of ten orders is one page, without what is to be done in the browser. */
export const summaryPrintStyle = css`
@page { size: A4; margin: 12mm 13mm; }
body { padding: 0; background: #fff; font-size: 9pt; line-height: 1.3; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.sheet { max-width: none; padding: 6pt 0 0; border-width: 4px 0 0; border-radius: 0; }
h1 { margin-top: 0; font-size: 16pt; }
h2 { margin-bottom: 3pt; font-size: 11pt; break-after: avoid; }
h3 { font-size: 9pt; }
.shop { margin-top: 0; font-size: 11pt; }
.figures b { font-size: 12pt; }
.kind, .identity, .detail, .figures .label, footer { font-size: 8.5pt; }
.identity { margin-top: 3pt; }
.status, .figures { margin-top: 8pt; }
.status, .entries li { padding: 5pt 9pt; }
.badge { font-size: 11pt; }
section { margin-top: 8pt; }
.steps li, .entries li, .entries p { margin-top: 2pt; }
.scroll { margin-top: 3pt; overflow: visible; }
table { font-size: 8.5pt; line-height: 1.3; }
th { font-size: 8pt; }
th, td { padding: 1pt 5pt; }
thead { display: table-header-group; }
tfoot { display: table-row-group; }
tr, .steps li, .entries li, .status { break-inside: avoid; }
dl div { padding: 1.5pt 0; }
footer { margin-top: 10pt; padding-top: 4pt; }
section:has(#steps) { display: none; }
`;
