import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {parseNarrowLink} from '#content/narrow-link.ts';
import type {RenderedMessage} from '#content/render/render-message.ts';
import {renderMessage} from '#content/render/render-message.ts';
import {renderCaseContext} from '#test/server/markdown/render-case-context.ts';
import {visibleHtml} from './visible-html-text.ts';

type Cases = {
  rendering: {name: string; markdown: string; html: string; translate_emoticons?: boolean}[];
  autolinks: {text: string; link: string}[];
  narrow_links: {name: string; url: string; terms: unknown}[];
};

const cases: Cases = JSON.parse(
  readFileSync(new URL('../../fixtures/markdown/cases.json', import.meta.url), 'utf8'),
);

/** What is shown otherwise than in the HTML, and why. Anything fixed or broken must change this table. */
const exceptions: Readonly<Record<string, string>> = {
  timestamp_no_timezone: 'Times are shown in the zone of the reader, in words.',
  timestamp_date_only: 'Times are shown in the zone of the reader, in words.',
  timestamp_timezone: 'Times are shown in the zone of the reader, in words.',
};

/** Drawn by us, not written by anybody. */
const drawn = new Set(['bullet', 'quote_bar', 'rule', 'table_border', 'note']);

function rendered(source: string, translateEmoticons = false): RenderedMessage {
  return renderMessage({source}, renderCaseContext({translateEmoticons}), {
    width: 300,
    linkNumbers: false,
    zone: 'UTC',
  });
}

function shown({lines}: RenderedMessage): string {
  return lines
    .map(({spans}) =>
      spans.map(({role, text}) => (drawn.has(role) || /^[▸▾] $/.test(text) ? ' ' : text)).join(''),
    )
    .join('\n');
}

/** How much space there is, raised digits, and variation selectors are how, not what. Formulas space themselves. */
function normal(text: string, isFormula = false): string {
  return text
    .normalize('NFKC')
    .replaceAll('\ufe0f', '')
    .replaceAll(/\s+/g, isFormula ? '' : ' ')
    .trim();
}

describe('what a reader sees is what the HTML shows', () => {
  for (const {name, markdown, html, translate_emoticons} of cases.rendering) {
    test(Object.hasOwn(exceptions, name) ? `${name} still differs` : name, () => {
      const ours = rendered(markdown, translate_emoticons);
      const theirs = visibleHtml(html);
      const isFormula = html.includes('katex');
      const seen = {text: normal(shown(ours), isFormula), links: ours.links};
      const expected = {text: normal(theirs.text, isFormula), links: theirs.links};
      if (Object.hasOwn(exceptions, name)) expect(seen).not.toEqual(expected);
      else expect(seen).toEqual(expected);
    });
  }

  test('every exception names a case', () => {
    const names = new Set(cases.rendering.map(({name}) => name));
    expect(Object.keys(exceptions).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('autolinks', () => {
  for (const {text, link} of cases.autolinks) {
    test(text, () => {
      const {links, ...rest} = rendered(text);
      if (!text.includes('](')) expect(shown({links, ...rest})).toBe(text.trim());
      if (link === '') {
        expect(links).toEqual([]);
        return;
      }
      // One case gives the words before the URL and the full stop too; the link is only the URL. One is written as HTML.
      const url = (link.includes(' ') ? (/\S+(?=\.$)/.exec(link)?.[0] ?? link) : link).replaceAll(
        '&amp;',
        '&',
      );
      const href = url.includes('://') ? url : url.includes('@') ? `mailto:${url}` : `http://${url}`;
      expect(links).toEqual([{text: url, url: href}]);
    });
  }
});

describe('links into the app', () => {
  for (const {name, url, terms} of cases.narrow_links) {
    test(name, () => {
      const {links} = rendered(`see [this](${url}) there`);
      expect(links).toMatchObject([{text: 'this'}]);
      expect(parseNarrowLink(links[0]?.url ?? '') ?? null).toEqual(terms);
    });
  }
});
