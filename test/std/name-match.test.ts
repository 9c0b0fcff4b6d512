import {expect, test} from 'vitest';
import {findNamed, matchName, nameRanks} from '#std/name-match.ts';

const quit = {id: 'app.quit', title: 'Quit Parley', aliases: ['exit', 'q', 'close the program']};
const rank = (query: string) => matchName(query, quit)?.rank;

test('matchName: an exact title or id ranks first, then a phrase of the title, then aliases, then words, then parts', () => {
  expect([rank('quit parley'), rank('app.quit')]).toEqual([nameRanks.exact, nameRanks.exact]);
  expect([rank('q'), rank('qui'), rank('parley quit')]).toEqual([
    nameRanks.titlePhraseAndAlias,
    nameRanks.titlePhrase,
    nameRanks.titleWord,
  ]);
  expect([rank('EXIT'), rank('close the pro'), rank('program')]).toEqual([
    nameRanks.alias,
    nameRanks.aliasPrefix,
    nameRanks.word,
  ]);
  expect([rank('arl'), rank('close gram')]).toEqual([nameRanks.inside, nameRanks.inside]);
});

test('matchName: scattered letters, two letters inside a word and missing words do not match', () => {
  expect(['qp', 'ui', 'quit now', '', '…', 'quitt'].map(rank)).toEqual(Array.from({length: 6}, () => undefined));
  expect(matchName('poll', {id: 'app.suspend', title: 'Suspend to the shell'})).toBeUndefined();
});

test('matchName: ranges cover the matches in the title only, not those in aliases', () => {
  expect(matchName('ley qu', quit)?.ranges).toEqual([
    [0, 2],
    [8, 11],
  ]);
  expect(matchName('exit', quit)?.ranges).toEqual([]);
});

test('findNamed: a shorter title is first, equal matches keep their order, and the remapped query is tried too', () => {
  const items = [
    {id: 'b', title: 'Open the menu'},
    {id: 'a', title: 'Open the list'},
    {id: 'c', title: 'Open'},
  ];
  expect(findNamed(items, 'open').map(({item}) => item.id)).toEqual(['c', 'b', 'a']);
  expect(findNamed(items, 'ьутг', (text) => (text === 'ьутг' ? 'menu' : text))).toHaveLength(1);
});
