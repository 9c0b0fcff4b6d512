import {parseFragment} from 'parse5';
import {expect, test} from 'vitest';
import {entityText} from '#content/html-entities.ts';

function inBrowser(source: string): string {
  const [node] = parseFragment(source).childNodes;
  return node !== undefined && 'value' in node ? node.value : '';
}

test.each(
  (
    '&amp; &lt; &gt; &quot; &apos; &nbsp; &copy; &yuml; &szlig; &frac12; &Auml; &alpha; &omega; &Omega; &sigmaf; &sigma; ' +
    '&bull; &Prime; &hellip; &hearts; &diams; &clubs; &ge; &le; &ne; &sube; &supe; &infin; &ang; &ni; &notin; &minus; &lang; ' +
    '&rang; &rarr; &hArr; &there4; &asymp; &sdot; &loz; &tilde; &euro; &trade; &piv; &upsih; &thetasym; &rfloor; &int; &num; ' +
    '&commat; &rbrace; &sol; &hyphen; &check; &cross; &starf; &phone; &lowbar; &Hat; &vert; &#65; &#x41; &#X41; &#8364;'
  ).split(' '),
)('%s is the character that a browser shows', (source) => {
  expect(entityText(source)).toBe(inBrowser(source));
});

test.each(['&bogus;', '&;', '&#0;', '&#27;', '&#x9b;', '&#xd800;', '&#1114112;', '&constructor;', '&toString;'])(
  '%s stays as it was typed',
  (source) => {
    expect(entityText(source)).toBe(source);
  },
);
