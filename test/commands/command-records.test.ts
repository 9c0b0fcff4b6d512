import {expect, test} from 'vitest';
import {commandList, commandTable} from '#commands/command-table.ts';

function doubles(names: readonly string[]): readonly string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}

test('every command has an id of its own', () => {
  expect(doubles(commandList.map(({id}) => id))).toEqual([]);
});

test('no two commands have the same rank among the hints of a place', () => {
  const ranks = [...commandTable.values()].flatMap(({hints = {}}) =>
    Object.entries(hints).flatMap(([place, hint]) =>
      hint === false ? [] : [`${place}: ${typeof hint === 'number' ? hint : hint[0]}`],
    ),
  );
  expect(doubles(ranks)).toEqual([]);
});

test('a command that is hinted has a word for it', () => {
  const silent = commandList.filter(
    ({hint, hints = {}}) => hint === undefined && Object.values(hints).some((one) => typeof one === 'number'),
  );
  expect(silent.map(({id}) => id)).toEqual([]);
});

test('no two commands have the same position in a group of the message menu', () => {
  const positions = commandList.flatMap(({messageMenu}) =>
    messageMenu === undefined ? [] : [`${messageMenu.group} ${messageMenu.position}`],
  );
  expect(doubles(positions)).toEqual([]);
});
