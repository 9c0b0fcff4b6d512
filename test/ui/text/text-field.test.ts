import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  backspace,
  clear,
  deleteForward,
  emptyField,
  emptyLine,
  insert,
  insertBlock,
  killToEnd,
  killToHome,
  killWord,
  killWordBack,
  moveDown,
  moveEnd,
  moveHome,
  moveLeft,
  moveRight,
  moveTo,
  moveToEnd,
  moveToStart,
  moveUp,
  moveWordLeft,
  moveWordRight,
  newline,
  redo,
  replaceAll,
  replaceRange,
  setText,
  type TextField,
  undo,
  yank,
  yankPop,
} from '#ui/text/text-field.ts';
import {layoutText} from '#ui/text/text-layout.ts';
import {anyText, boundariesOf} from './random-text.ts';

type Edit = (field: TextField) => TextField;

/** Returns a field with the cursor at the `|`. */
function at(text: string): TextField {
  return moveTo(setText(emptyField, text.replace('|', '')), text.indexOf('|'));
}

function shown({text, cursor}: TextField): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

function typed(field: TextField, text: string): TextField {
  return [...text].reduce(insert, field);
}

describe('keys', () => {
  test.each<[string, Edit, string, string]>([
    ['a character is inserted at the cursor', (field) => insert(field, 'x'), 'a|b', 'ax|b'],
    ['a line break is inserted', newline, 'a|b', 'a\n|b'],
    ['line endings are normalized', (field) => insert(field, 'x\r\ny\rz'), 'a|b', 'ax\ny\nz|b'],
    ['backspace deletes a grapheme', backspace, 'a👨‍👩‍👧‍👦|b', 'a|b'],
    ['backspace deletes a letter with its marks', backspace, 'xe\u0301|', 'x|'],
    ['backspace joins lines', backspace, 'a\n|b', 'a|b'],
    ['backspace at the start does nothing', backspace, '|b', '|b'],
    ['delete deletes the next character', deleteForward, 'a|👍🏽b', 'a|b'],
    ['left moves over an emoji', moveLeft, 'a🇩🇪|', 'a|🇩🇪'],
    ['right moves over an emoji', moveRight, '|🇩🇪a', '🇩🇪|a'],
    ['right moves over a line break', moveRight, 'a|\nb', 'a\n|b'],
    ['a word left', moveWordLeft, 'one two|', 'one |two'],
    ['a word right', moveWordRight, '|one two', 'one| two'],
    ['home is the start of the line', moveHome, 'a\nbc|d', 'a\n|bcd'],
    ['home at the start of the text', moveHome, '|\nb', '|\nb'],
    ['end is the end of the line', moveEnd, 'a|b\nc', 'ab|\nc'],
    ['the start of the text', moveToStart, 'a\nb|', '|a\nb'],
    ['the end of the text', moveToEnd, 'a|\nb', 'a\nb|'],
    ['kills the word before', killWordBack, 'one two |', 'one |'],
    ['kills the word after', killWord, 'one| two', 'one|'],
    ['kills to the start of the line', killToHome, 'a\nb c|d', 'a\n|d'],
    ['kills the line break before', killToHome, 'a\n|d', 'a|d'],
    ['kills to the end of the line', killToEnd, 'a|b\nc', 'a|\nc'],
    ['kills the line break after', killToEnd, 'a|\nc', 'a|c'],
    ['clearing', clear, 'a|b', '|'],
    ['a completion', (field) => replaceRange(field, 4, 7, '@**Otto** '), 'hey @ot|.', 'hey @**Otto** |.'],
    ['a completion with the cursor inside', (field) => replaceRange(field, 0, 1, '[]()', 1), 'x|', '[|]()'],
    ['a block is put on separate lines', (field) => insertBlock(field, '```\nx\n```'), 'a|b', 'a\n```\nx\n```\n|b'],
    ['a block above an end of line', (field) => insertBlock(field, 'x'), 'a|\nb', 'a\nx\n|b'],
    ['a block on an empty line', (field) => insertBlock(field, 'x'), '|', 'x\n|'],
  ])('%s', (_name, edit, before, after) => {
    expect(shown(edit(at(before)))).toBe(after);
  });

  test('a mark that joins the letter before leaves the cursor after both', () => {
    expect(shown(insert(at('e|x'), '\u0301'))).toBe('e\u0301|x');
  });

  test('when deleting joins characters, the cursor is not inside them', () => {
    expect(shown(backspace(at('e\n|\u0301z')))).toBe('e\u0301|z');
  });

  test('a key that changes nothing returns the same field', () => {
    const field = at('|');
    for (const edit of [backspace, deleteForward, moveLeft, moveRight, killWord, killToEnd, yank, undo, redo]) {
      expect(edit(field)).toBe(field);
    }
    expect(insert(field, '')).toBe(field);
    expect(replaceAll(field, '')).toBe(field);
  });

  test('a single-line field replaces line breaks by spaces', () => {
    expect(insert(emptyLine, 'a\r\nb\nc').text).toBe('a b c');
    expect(setText(emptyLine, 'a\nb').text).toBe('a b');
  });
});

describe('up and down', () => {
  const text = 'a long first line\nshort\nanother long line';

  test('move over laid-out rows and return to the column', () => {
    const layout = layoutText(text, 80);
    const start = moveTo(setText(emptyField, text), 12);
    const short = moveDown(start, layout);
    expect(shown(short)).toContain('short|\n');
    const below = moveDown(short, layout);
    expect(below.cursor).toBe(text.lastIndexOf('\n') + 1 + 12);
    expect(moveUp(moveUp(below, layout), layout).cursor).toBe(12);
  });

  test('a sideways move sets a new goal column', () => {
    const layout = layoutText(text, 80);
    const short = moveDown(moveTo(setText(emptyField, text), 12), layout);
    expect(moveUp(moveLeft(short), layout).cursor).toBe(4);
  });

  test('wrapped rows count as rows', () => {
    const wrapped = 'one two three four five';
    const layout = layoutText(wrapped, 12);
    const above = moveUp(setText(emptyField, wrapped), layout);
    expect(shown(above)).toBe('one two thre|e four five');
    expect(shown(moveUp(above, layout))).toBe('one |two three four five');
  });

  test('on the first and the last row nothing changes', () => {
    const layout = layoutText(text, 80);
    const first = moveTo(setText(emptyField, text), 3);
    expect(moveUp(first, layout)).toBe(first);
    const last = setText(emptyField, text);
    expect(moveDown(last, layout)).toBe(last);
  });
});

describe('kill ring', () => {
  test('yank inserts the last kill at the cursor', () => {
    expect(shown(yank(moveToStart(killWordBack(at('one two|')))))).toBe('two|one ');
  });

  test('consecutive kills are joined, in either direction', () => {
    const cut = killWordBack(killWordBack(at('one two three|')));
    expect(cut.kills).toEqual(['two three']);
    expect(killWord(killWord(at('|one two'))).kills).toEqual(['one two']);
    expect(killWord(killWordBack(at('one| two'))).kills).toEqual(['one two']);
  });

  test('kills with a move between are separate entries', () => {
    const cut = killWordBack(moveRight(moveLeft(killWordBack(at('one two|')))));
    expect(cut.kills).toEqual(['one ', 'two']);
  });

  test('yankPop cycles through older kills', () => {
    const cut = moveToStart(killWordBack(moveLeft(killWordBack(at('one two three|')))));
    expect(cut.kills).toEqual(['two', 'three']);
    const newest = yank(cut);
    const older = yankPop(newest);
    expect([newest, older, yankPop(older)].map(shown)).toEqual(['two|one  ', 'three|one  ', 'two|one  ']);
    expect(shown(undo(older))).toBe(shown(newest));
  });

  test('yankPop works only right after a yank', () => {
    const field = moveLeft(yank(killWordBack(at('one two|'))));
    expect(yankPop(field)).toBe(field);
  });

  test('is kept for the next text, up to thirty entries', () => {
    let field = emptyField;
    for (let i = 0; i < 40; i++) field = moveToEnd(killWordBack(insert(field, `word${i}`)));
    expect(field.kills).toHaveLength(30);
    expect(setText(field, 'new').kills[0]).toBe('word39');
  });

  test('killing and yanking restores the text', () => {
    const cuts: Edit[] = [killWordBack, killWord, killToHome, killToEnd];
    fc.assert(
      fc.property(anyText, fc.nat(60), fc.constantFrom(...cuts), (text, offset, cut) => {
        const field = moveTo(setText(emptyField, text), Math.min(offset, text.length));
        const done = cut(field);
        // Where the kill joined two characters the cursor had to move on.
        fc.pre(done.cursor === done.changes.past.at(-1)?.at);
        expect(yank(done).text).toBe(field.text);
      }),
    );
  });
});

describe('undo', () => {
  const steps = (field: TextField): string[] => {
    const texts = [field.text];
    for (let now = field, before = undo(now); before !== now; now = before, before = undo(now)) texts.push(before.text);
    return texts;
  };

  test('undoes a word at a time', () => {
    expect(steps(typed(emptyField, 'one two three'))).toEqual(['one two three', 'one two ', 'one ', '']);
  });

  test('undoes a line or a clause between Chinese commas at a time', () => {
    expect(steps(typed(emptyField, 'one\ntwo'))).toEqual(['one\ntwo', 'one\n', '']);
    expect(steps(typed(emptyField, '你好，世界'))).toEqual(['你好，世界', '你好，', '']);
  });

  test('ends a step where the cursor was moved', () => {
    const field = typed(moveRight(moveLeft(typed(emptyField, 'ab'))), 'cd');
    expect(steps(field)).toEqual(['abcd', 'ab', '']);
  });

  test('undoes a paste as one step', () => {
    const field = typed(insert(typed(emptyField, 'see '), 'a b c'), '!?');
    expect(steps(field)).toEqual(['see a b c!?', 'see a b c', 'see ', '']);
  });

  test('restores deleted text a word at a time', () => {
    let field = setText(emptyField, 'one two');
    for (let i = 0; i < 7; i++) field = backspace(field);
    expect(steps(field)).toEqual(['', 'one', 'one two']);
    field = moveToStart(setText(emptyField, 'one two'));
    for (let i = 0; i < 7; i++) field = deleteForward(field);
    expect(steps(field)).toEqual(['', 'two', 'one two']);
  });

  test('restores text that was cleared, killed or replaced', () => {
    const field = at('some te|xt');
    for (const edit of [clear, killToHome, (one: TextField) => replaceAll(one, 'from the editor')]) {
      expect(shown(undo(edit(field)))).toBe('some te|xt');
      expect(redo(undo(edit(field)))).toMatchObject({text: edit(field).text, cursor: edit(field).cursor});
    }
  });

  test('cannot redo after another edit', () => {
    const field = insert(undo(insert(emptyField, 'ab')), 'cd');
    expect(redo(field)).toBe(field);
  });

  test('does not reach into a previous text', () => {
    const field = setText(typed(emptyField, 'one two'), 'fresh');
    expect(undo(field)).toBe(field);
  });

  test('remembers two hundred steps', () => {
    let field = emptyField;
    for (let i = 0; i < 250; i++) field = insert(field, 'ab');
    expect(steps(field)).toHaveLength(201);
  });
});

describe('any sequence of edits', () => {
  const layoutOf = ({text}: TextField) => layoutText(text, 12);
  const moves: Edit[] = [
    ...[moveLeft, moveRight, moveWordLeft, moveWordRight, moveHome, moveEnd, moveToStart, moveToEnd],
    (field) => moveUp(field, layoutOf(field)),
    (field) => moveDown(field, layoutOf(field)),
  ];
  const edits: Edit[] = [
    ...[newline, backspace, deleteForward, killWordBack, killWord, killToHome, killToEnd, yank, yankPop, clear],
  ];
  const anyInsert: fc.Arbitrary<Edit> = anyText.map((text) => (field) => insert(field, text));
  const anyReplace: fc.Arbitrary<Edit> = fc.tuple(fc.nat(40), fc.nat(40), anyText).map(
    ([start, end, text]) =>
      (field) =>
        replaceRange(field, start, end, text),
  );
  const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
    {weight: 3, arbitrary: anyInsert},
    anyReplace,
    anyText.map(
      (text): Edit =>
        (field) =>
          replaceAll(field, text),
    ),
    fc.constantFrom(...edits),
  );
  const anyCourse = fc.array(fc.oneof(anyEdit, fc.constantFrom<Edit>(...moves, undo, redo)), {maxLength: 30});
  const fieldOf = (course: readonly Edit[]): TextField => course.reduce((field, edit) => edit(field), emptyField);

  test('leaves the cursor on a boundary and the text well formed', () => {
    fc.assert(
      fc.property(anyCourse, (course) => {
        course.reduce((field, edit) => {
          const next = edit(field);
          expect(boundariesOf(next.text)).toContain(next.cursor);
          expect(next.text.isWellFormed() && !next.text.includes('\r')).toBe(true);
          return next;
        }, emptyField);
      }),
    );
  });

  test('can undo and redo one edit', () => {
    fc.assert(
      fc.property(anyCourse, anyEdit, (course, edit) => {
        const before = moveRight(moveLeft(fieldOf(course)));
        const done = edit(before);
        fc.pre(done.changes !== before.changes);
        expect(undo(done)).toMatchObject({text: before.text, cursor: before.cursor});
        expect(redo(undo(done))).toMatchObject({text: done.text, cursor: done.cursor});
      }),
    );
  });

  test('can undo to the start and redo to the end', () => {
    fc.assert(
      fc.property(anyCourse, (course) => {
        const end = fieldOf([...course, ...Array.from({length: 40}, () => redo)]);
        let field = end;
        for (let i = 0; i < 60; i++) field = undo(field);
        expect(field.text).toBe('');
        for (let i = 0; i < 60; i++) field = redo(field);
        expect(field.text).toBe(end.text);
      }),
    );
  });
});
