import {expect, test} from 'vitest';
import {insertEdits, normalEdits, onCharacter} from '#ui/text/normal-mode.ts';
import {emptyField, moveTo, setText} from '#ui/text/text-field.ts';

const edits = {...normalEdits, ...insertEdits};

/** Returns the text after edits, with `|` before the cursor as before them. */
function after(marked: string, ...names: readonly (keyof typeof edits)[]): string {
  const start = moveTo(setText(emptyField, marked.replace('|', '')), marked.indexOf('|'));
  const {text, cursor} = names.reduce((field, name) => {
    const changed = edits[name][1](field);
    return name in normalEdits ? onCharacter(changed) : changed;
  }, start);
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

test.each([
  ['ab|c', ['left'], 'a|bc'],
  ['x\n|ab', ['left'], 'x\n|ab'],
  ['a|b\nc', ['right'], 'a|b\nc'],
  ['|one two', ['word.next'], 'one |two'],
  ['one |two', ['word.left'], '|one two'],
  ['|one two', ['word.end'], 'on|e two'],
  ['on|e two', ['word.end'], 'one tw|o'],
  ['one |two\nx', ['home'], '|one two\nx'],
  ['|one two\nx', ['end'], 'one tw|o\nx'],
  ['one\nt|wo', ['first'], '|one\ntwo'],
  ['|one\ntwo', ['last'], 'one\ntw|o'],
  ['a|bc', ['delete'], 'a|c'],
  ['ab|c', ['delete'], 'a|b'],
  ['|\nab', ['delete'], '|\nab'],
  ['one\nt|wo\nthree', ['delete.line'], 'one\n|three'],
  ['one\nt|wo', ['delete.line'], '|one'],
  ['o|ne', ['delete.line'], '|'],
  ['|one two', ['delete.word'], '| two'],
  ['one| two\nx', ['delete.end'], 'on|e\nx'],
  ['|one two', ['delete.word', 'end', 'paste'], ' twoon|e'],
  ['a|bc', ['delete', 'undo'], 'a|bc'],
  ['a|bc', ['delete', 'undo', 'redo'], 'a|c'],
  ['a|bc', ['insert'], 'a|bc'],
  ['a|b', ['append'], 'ab|'],
  ['x\na|b', ['insert.line'], 'x\n|ab'],
  ['|ab\nx', ['append.line'], 'ab|\nx'],
  ['|ab\nx', ['below'], 'ab\n|\nx'],
  ['x\na|b', ['above'], 'x\n|\nab'],
  ['|one two', ['change.word'], '| two'],
  ['one| two', ['change.end'], 'one|'],
] as const)('normal mode: %j after %j is %j', (before, names, expected) => {
  expect(after(before, ...names)).toBe(expected);
});
