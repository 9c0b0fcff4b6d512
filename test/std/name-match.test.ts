import {expect, test} from 'vitest';
import {findNamed, matchName, nameRanks} from '#std/name-match.ts';

const quit = {id: 'app.quit', title: 'Quit Parley', aliases: ['exit', 'q', 'close the program']};
const rank = (query: string) => matchName(query, quit)?.rank;

test('a whole title, alias or id is the best match, then the beginning of one, then words, then parts', () => {
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

test('scattered letters, two letters within a word and a word that is nowhere match nothing', () => {
  expect(['qp', 'ui', 'quit now', '', '…', 'quitt'].map(rank)).toEqual(
    Array.from({length: 6}, () => undefined),
  );
  expect(matchName('poll', {id: 'app.suspend', title: 'Suspend to the shell'})).toBeUndefined();
});

test('what was matched in the title is told, and nothing where another word was', () => {
  expect(matchName('ley qu', quit)?.ranges).toEqual([
    [0, 2],
    [8, 11],
  ]);
  expect(matchName('exit', quit)?.ranges).toEqual([]);
});

test('equal matches stay in their order, and another reading of the keys is tried', () => {
  const items = [
    {id: 'b', title: 'Open the menu'},
    {id: 'a', title: 'Open the list'},
    {id: 'c', title: 'Open'},
  ];
  expect(findNamed(items, 'open').map(({item}) => item.id)).toEqual(['c', 'b', 'a']);
  expect(findNamed(items, 'ьутг', (text) => (text === 'ьутг' ? 'menu' : text))).toHaveLength(1);
});
