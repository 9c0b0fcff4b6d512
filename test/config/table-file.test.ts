import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fileProblemText, readTableFile} from '#config/table-file.ts';
import {fewOrAll, slowTest} from '#test/support/tier.ts';

const keys = {name: 'text', channel: 'texts', star: 'switch', topic: ['mute', 'follow']} as const;

function read(toml: string) {
  const {tables, problems} = readTableFile(toml, 'rule', keys);
  return {
    values: tables.map(({values}) => values),
    problems: problems.map((problem) => fileProblemText('rules.toml', problem)),
  };
}

test('table file: a table has checked values, and a single text is a list of one', () => {
  expect(
    read(`# mine
[[rule]]
name = "builds" # comment
channel = "general"
star = true
topic = "mute"

[[rule]]
name = 'two'
channel = ["a", "b"]
`),
  ).toEqual({
    values: [
      {name: 'builds', channel: ['general'], star: true, topic: 'mute'},
      {name: 'two', channel: ['a', 'b']},
    ],
    problems: [],
  });
});

test('table file: an unknown key and wrong types are named with line and column; other tables stay', () => {
  const {values, problems} = read(`[[rule]]
name = "one"
  chanel = "x"

[[rule]]
name = "two"

[[rule]]
name = ""
channel = ["a", 3]
star = "yes"
topic = "drop"
[rule.more]
x = 1
`);
  expect(values).toEqual([{name: 'two'}]);
  expect(problems).toEqual([
    'rules.toml, line 3, column 3: a rule has no “chanel”. It may have: name, channel, star, topic.',
    'rules.toml, line 9, column 1: “name” must be a text in quotes that is not empty.',
    'rules.toml, line 10, column 1: “channel” must be a text in quotes or a list of such texts, none of them empty.',
    'rules.toml, line 11, column 1: “star” must be true or false.',
    'rules.toml, line 12, column 1: “topic” must be "mute" or "follow".',
    'rules.toml, line 13, column 1: a rule has no “more”. It may have: name, channel, star, topic.',
  ]);
});

test('table file: a table that is not valid TOML costs only itself', () => {
  const {values, problems} = read(`[[rule]]
name = "one"
[[rule]]
name = "two
[[rule]]
name = "three"
name = "four"
[[rule]]
name = """five
[[rule]]
name = "six"
`);
  expect(values).toEqual([{name: 'one'}, {name: 'six'}]);
  expect(problems).toHaveLength(3);
  expect(problems[0]).toMatch(/^rules\.toml, line 4, column 8: not valid TOML: /);
  expect(problems[1]).toMatch(/^rules\.toml, line 7, column 1: not valid TOML: /);
  expect(problems[2]).toMatch(/^rules\.toml, line (8|9|10), column \d+: not valid TOML: /);
});

test('table file: what is not a table of the name is reported where it is', () => {
  expect(read('colour = "red"\n[[rule]]\nname = "one"\n[rules]\nx = 1\n')).toEqual({
    values: [{name: 'one'}],
    problems: [
      'rules.toml, line 1, column 1: there is no “colour”. The file consists of tables that begin with [[rule]].',
      'rules.toml, line 4, column 1: there is no “rules”. The file consists of tables that begin with [[rule]].',
    ],
  });
  expect(read('\n[rule]\nname = "one"\n').problems).toEqual([
    'rules.toml, line 2, column 1: “rule” is not a list of tables. The file consists of tables that begin with [[rule]].',
  ]);
  expect(read('rule = 5\n[[rule]]\nname = "one"\n').problems).toHaveLength(1);
  expect(read('rule = [{name = "one"}, {nam = "two"}]\n')).toEqual({
    values: [{name: 'one'}],
    problems: ['rules.toml, line 1, column 1: a rule has no “nam”. It may have: name, channel, star, topic.'],
  });
});

test('table file: a multi-line text may contain what looks like a table', () => {
  expect(read('[[rule]]\nname = """a\n[[rule]]\n"""\nstar = 1\n').problems).toEqual([
    'rules.toml, line 5, column 1: “star” must be true or false.',
  ]);
});

test('table file: names of object properties are unknown keys', () => {
  expect(read('[[rule]]\n__proto__ = 1\n').problems).toHaveLength(1);
  expect(read('[[rule]]\nconstructor = "x"\n').problems).toHaveLength(1);
});

test('table file: any text gives tables and problems, and throws nothing', () => {
  const line = fc.constantFrom(
    '[[rule]]',
    '[rule.x]',
    'name = "a"',
    'channel = ["x"',
    ']',
    '"""',
    "'",
    '#',
    '{',
    '\\',
    '\uFEFF',
    '\r',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => void read(lines.join('\n'))),
    {numRuns: fewOrAll(125, 500)},
  );
});

slowTest('table file: each of three thousand wrong tables is reported', () => {
  const wrong = '[[rule]]\nname = "a"\nnam = "b"\n'.repeat(3000);
  expect(read(wrong).problems.at(-1)).toMatch(/^rules\.toml, line 9000, column 1: /);
  expect(read(`${wrong}[[rule]]\nname = x\n`).problems).toHaveLength(3001);
});

test('table file: a number is whole and above 0', () => {
  const read = (value: string) => readTableFile(`[[one]]\nseconds = ${value}\n`, 'one', {seconds: 'number'});
  expect(read('30').tables.map(({values}) => values)).toEqual([{seconds: 30}]);
  for (const wrong of ['0', '-1', '1.5', '"30"', 'true', 'inf', 'nan']) {
    expect(read(wrong)).toMatchObject({tables: [], problems: [{text: '“seconds” must be a whole number above 0.'}]});
  }
});
