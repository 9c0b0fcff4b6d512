import {createHash} from 'node:crypto';
import {escapeLiteral} from '#server/markdown/escape-html.ts';
import type {WebResponse} from '#server/route.ts';
import {once} from '#std/once.ts';

const style = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 30rem; padding: 1.5rem 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; }
label { display: block; font-weight: 600; margin-top: 1rem; }
input { box-sizing: border-box; font: inherit; padding: .5rem; width: 100%; }
input[aria-invalid] { border: 2px solid; }
button { font: inherit; font-weight: 600; margin-top: 1.5rem; min-height: 2.75rem; padding: 0 1.25rem; }
small { display: block; }
.problem { font-weight: 600; margin: .25rem 0 0; }
pre { border: 1px solid; overflow-x: auto; padding: .75rem; white-space: pre-wrap; }
`;

const styleHash = once(() => createHash('sha256').update(style).digest('base64'));

/** HTML of a page. Values in the template are escaped, except those that are Html. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type HtmlValue = Html | string | number | undefined | readonly Html[];

/** Builds HTML from a template; undefined is nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, index) => text + htmlOf(values[index - 1]) + part));
}

function htmlOf(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({text}) => text).join('');
  return escapeLiteral(String(value)).replaceAll('"', '&quot;');
}

/** Returns a page without scripts, which no other site may frame. */
export function htmlPage(status: number, title: string, body: Html): WebResponse {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash()}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      // The address of the page is a secret. Within this site it is sent, because browsers hide the origin otherwise.
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    },
    body: page.text,
  };
}
