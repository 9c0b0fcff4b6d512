import {expect, test} from 'vitest';
import {findNamed, matchName, nameRanks} from '#std/name-match.ts';

const quit = {id: 'app.quit', title: 'Quit Parley', aliases: ['exit', 'q', 'close the program']};
const rank = (query: string) => matchName(query, quit)?.rank;

test('matchName: an exact title, alias or id ranks first, then a prefix, then words, then parts', () => {
  expect([rank('quit parley'), rank('EXIT'), rank('q'), rank('app.quit')]).toEqual(
    Array.from({length: 4}, () => nameRanks.exact),
  );
  expect([rank('qui'), rank('quit p'), rank('close the')]).toEqual([
    nameRanks.titlePrefix,
    nameRanks.titlePrefix,
    nameRanks.aliasPrefix,
  ]);
  expect([rank('par'), rank('parley quit'), rank('program')]).toEqual([
    nameRanks.titleWord,
    nameRanks.titleWord,
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

test('findNamed: equal matches keep their order, and the remapped query is tried too', () => {
  const items = [
    {id: 'b', title: 'Open the menu'},
    {id: 'a', title: 'Open the list'},
    {id: 'c', title: 'Open'},
  ];
  expect(findNamed(items, 'open').map(({item}) => item.id)).toEqual(['c', 'b', 'a']);
  expect(findNamed(items, 'ьутг', (text) => (text === 'ьутг' ? 'menu' : text))).toHaveLength(1);
});
