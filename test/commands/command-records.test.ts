import {expect, test} from 'vitest';
import {commandList, commandTable} from '#commands/command-table.ts';

function duplicates(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

test('command records: ids are unique', () => {
  expect(duplicates(commandList.map(({id}) => id))).toEqual([]);
});

test('command records: no two commands have the same hint rank in a context', () => {
  const ranks = [...commandTable.values()].flatMap(({hints = {}}) =>
    Object.entries(hints).flatMap(([context, hint]) =>
      hint === false ? [] : [`${context}: ${typeof hint === 'number' ? hint : hint[0]}`],
    ),
  );
  expect(duplicates(ranks)).toEqual([]);
});

test('command records: a command with a hint rank has a hint label', () => {
  const withoutLabel = commandList.filter(
    ({hint, hints = {}}) => hint === undefined && Object.values(hints).some((one) => typeof one === 'number'),
  );
  expect(withoutLabel.map(({id}) => id)).toEqual([]);
});

test('command records: no two commands have the same position in a group of the message menu', () => {
  const positions = commandList.flatMap(({messageMenu}) =>
    messageMenu === undefined ? [] : [`${messageMenu.group} ${messageMenu.position}`],
  );
  expect(duplicates(positions)).toEqual([]);
});
