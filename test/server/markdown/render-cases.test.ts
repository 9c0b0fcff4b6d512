import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {renderMarkdown} from '#server/markdown/render.ts';
import {canonicalHtml} from './canonical-html.ts';
import {renderCaseContext} from './render-case-context.ts';

type Cases = {
  rendering: {name: string; markdown: string; html: string; translate_emoticons?: boolean}[];
  autolinks: {text: string; link: string}[];
  narrow_links: {name: string; url: string; terms: unknown}[];
};

const cases: Cases = JSON.parse(readFileSync(new URL('../../fixtures/markdown/cases.json', import.meta.url), 'utf8'));

function render(markdown: string, translateEmoticons = false): string {
  return renderMarkdown(markdown, renderCaseContext({translateEmoticons})).html;
}

describe('rendering cases', () => {
  for (const {name, markdown, html, translate_emoticons} of cases.rendering) {
    test(name, () => {
      expect(canonicalHtml(render(markdown, translate_emoticons))).toBe(canonicalHtml(html));
    });
  }
});

describe('autolink cases', () => {
  for (const {text, link} of cases.autolinks) {
    test(text, () => {
      const html = render(text);
      if (link === '') {
        expect(html).not.toContain('<a ');
        return;
      }
      // In one case `link` also contains the words before the URL and the full stop; only the URL is linked.
      const url = link.includes(' ') ? (/\S+(?=\.$)/.exec(link)?.[0] ?? link) : link;
      const href = url.includes('://') ? url : url.includes('@') ? `mailto:${url}` : `http://${url}`;
      expect(html).toContain(`<a href="${href}">${url}</a>`);
    });
  }
});

describe('narrow link cases', () => {
  for (const {name, url, terms} of cases.narrow_links) {
    test(name, () => {
      expect(parseNarrowLink(url) ?? null).toEqual(terms);
    });
  }
});
