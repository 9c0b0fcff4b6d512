import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {type RenderedMessage, renderMessage} from '#content/render/render-message.ts';
import {renderCaseContext} from '#test/server/markdown/render-case-context.ts';
import {visibleHtml} from './visible-html-text.ts';

type Cases = {
  rendering: {name: string; markdown: string; html: string; translate_emoticons?: boolean}[];
  autolinks: {text: string; link: string}[];
  narrow_links: {name: string; url: string; terms: unknown}[];
};

const cases: Cases = JSON.parse(readFileSync(new URL('../../fixtures/markdown/cases.json', import.meta.url), 'utf8'));

/** Cases that are shown differently from the HTML, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  timestamp_no_timezone: 'Times are shown in the zone of the reader, in words.',
  timestamp_date_only: 'Times are shown in the zone of the reader, in words.',
  timestamp_timezone: 'Times are shown in the zone of the reader, in words.',
};

/** Roles of text that the renderer adds. */
const drawn = new Set(['bullet', 'quote_bar', 'rule', 'table_border', 'note']);

function rendered(source: string, translateEmoticons = false): RenderedMessage {
  return renderMessage({source}, renderCaseContext({translateEmoticons}), {
    width: 300,
    linkNumbers: false,
    zone: 'UTC',
  });
}

function visibleText({lines}: RenderedMessage): string {
  return lines
    .map(({spans}) => spans.map(({role, text}) => (drawn.has(role) || /^[▸▾] $/.test(text) ? ' ' : text)).join(''))
    .join('\n');
}

/** Normalizes spaces, superscript digits and variation selectors, which may differ. */
function normalized(text: string, isFormula = false): string {
  return text
    .normalize('NFKC')
    .replaceAll('\ufe0f', '')
    .replaceAll(/\s+/g, isFormula ? '' : ' ')
    .trim();
}

describe('the visible text equals that of the HTML', () => {
  for (const {name, markdown, html, translate_emoticons} of cases.rendering) {
    test(Object.hasOwn(exceptions, name) ? `${name} still differs` : name, () => {
      const ours = rendered(markdown, translate_emoticons);
      const theirs = visibleHtml(html);
      const isFormula = html.includes('katex');
      const seen = {text: normalized(visibleText(ours), isFormula), links: ours.links};
      const expected = {text: normalized(theirs.text, isFormula), links: theirs.links};
      if (Object.hasOwn(exceptions, name)) expect(seen).not.toEqual(expected);
      else expect(seen).toEqual(expected);
    });
  }

  test('every exception is the name of a case', () => {
    const names = new Set(cases.rendering.map(({name}) => name));
    expect(Object.keys(exceptions).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('autolinks', () => {
  for (const {text, link} of cases.autolinks) {
    test(text, () => {
      const {links, ...rest} = rendered(text);
      if (!text.includes('](')) expect(visibleText({links, ...rest})).toBe(text.trim());
      if (link === '') {
        expect(links).toEqual([]);
        return;
      }
      // One case includes the words before the URL and the full stop; the link is only the URL. One is HTML.
      const url = (link.includes(' ') ? (/\S+(?=\.$)/.exec(link)?.[0] ?? link) : link).replaceAll('&amp;', '&');
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
