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
} from '#app/text/text-field.ts';
import {layoutText} from '#app/text/text-layout.ts';
import {anyText, boundariesOf} from './random-text.ts';

type Edit = (field: TextField) => TextField;

/** A field whose cursor is where `|` stands. */
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
    ['a character goes in at the cursor', (field) => insert(field, 'x'), 'a|b', 'ax|b'],
    ['a line break too', newline, 'a|b', 'a\n|b'],
    ['other line ends become ours', (field) => insert(field, 'x\r\ny\rz'), 'a|b', 'ax\ny\nz|b'],
    ['backspace takes a character as people see it', backspace, 'a👨‍👩‍👧‍👦|b', 'a|b'],
    ['backspace takes a letter with its marks', backspace, 'xe\u0301|', 'x|'],
    ['backspace joins lines', backspace, 'a\n|b', 'a|b'],
    ['backspace at the start does nothing', backspace, '|b', '|b'],
    ['delete takes what follows', deleteForward, 'a|👍🏽b', 'a|b'],
    ['left goes over a picture', moveLeft, 'a🇩🇪|', 'a|🇩🇪'],
    ['right goes over a picture', moveRight, '|🇩🇪a', '🇩🇪|a'],
    ['right goes over a line break', moveRight, 'a|\nb', 'a\n|b'],
    ['a word left', moveWordLeft, 'one two|', 'one |two'],
    ['a word right', moveWordRight, '|one two', 'one| two'],
    ['home is the start of the line', moveHome, 'a\nbc|d', 'a\n|bcd'],
    ['home at the start of the text', moveHome, '|\nb', '|\nb'],
    ['end is the end of the line', moveEnd, 'a|b\nc', 'ab|\nc'],
    ['the start of the text', moveToStart, 'a\nb|', '|a\nb'],
    ['the end of the text', moveToEnd, 'a|\nb', 'a\nb|'],
    ['cutting the word before', killWordBack, 'one two |', 'one |'],
    ['cutting the word after', killWord, 'one| two', 'one|'],
    ['cutting to the start of the line', killToHome, 'a\nb c|d', 'a\n|d'],
    ['cutting goes on over the line break before', killToHome, 'a\n|d', 'a|d'],
    ['cutting to the end of the line', killToEnd, 'a|b\nc', 'a|\nc'],
    ['cutting goes on over the line break after', killToEnd, 'a|\nc', 'a|c'],
    ['clearing', clear, 'a|b', '|'],
    ['a completion', (field) => replaceRange(field, 4, 7, '@**Otto** '), 'hey @ot|.', 'hey @**Otto** |.'],
    ['a completion that goes on inside', (field) => replaceRange(field, 0, 1, '[]()', 1), 'x|', '[|]()'],
    [
      'a block has lines of its own',
      (field) => insertBlock(field, '```\nx\n```'),
      'a|b',
      'a\n```\nx\n```\n|b',
    ],
    ['a block above an end of line', (field) => insertBlock(field, 'x'), 'a|\nb', 'a\nx\n|b'],
    ['a block on an empty line', (field) => insertBlock(field, 'x'), '|', 'x\n|'],
  ])('%s', (_name, edit, before, after) => {
    expect(shown(edit(at(before)))).toBe(after);
  });

  test('a mark that joins the letter before leaves the cursor behind both', () => {
    expect(shown(insert(at('e|x'), '\u0301'))).toBe('e\u0301|x');
  });

  test('where deleting joins what is left the cursor is not inside it', () => {
    expect(shown(backspace(at('e\n|\u0301z')))).toBe('e\u0301|z');
  });

  test('a key that changes nothing gives the same field', () => {
    const field = at('|');
    for (const edit of [
      backspace,
      deleteForward,
      moveLeft,
      moveRight,
      killWord,
      killToEnd,
      yank,
      undo,
      redo,
    ]) {
      expect(edit(field)).toBe(field);
    }
    expect(insert(field, '')).toBe(field);
    expect(replaceAll(field, '')).toBe(field);
  });

  test('a field of one line has spaces for line breaks', () => {
    expect(insert(emptyLine, 'a\r\nb\nc').text).toBe('a b c');
    expect(setText(emptyLine, 'a\nb').text).toBe('a b');
  });
});

describe('up and down', () => {
  const text = 'a long first line\nshort\nanother long line';

  test('go over rows as they are laid out and come back to the column', () => {
    const layout = layoutText(text, 80);
    const start = moveTo(setText(emptyField, text), 12);
    const short = moveDown(start, layout);
    expect(shown(short)).toContain('short|\n');
    const below = moveDown(short, layout);
    expect(below.cursor).toBe(text.lastIndexOf('\n') + 1 + 12);
    expect(moveUp(moveUp(below, layout), layout).cursor).toBe(12);
  });

  test('a move to the side sets another column', () => {
    const layout = layoutText(text, 80);
    const short = moveDown(moveTo(setText(emptyField, text), 12), layout);
    expect(moveUp(moveLeft(short), layout).cursor).toBe(4);
  });

  test('rows that were wrapped are rows', () => {
    const wrapped = 'one two three four five';
    const layout = layoutText(wrapped, 12);
    const above = moveUp(setText(emptyField, wrapped), layout);
    expect(shown(above)).toBe('one two thre|e four five');
    expect(shown(moveUp(above, layout))).toBe('one |two three four five');
  });

  test('at the first and the last row nothing changes', () => {
    const layout = layoutText(text, 80);
    const first = moveTo(setText(emptyField, text), 3);
    expect(moveUp(first, layout)).toBe(first);
    const last = setText(emptyField, text);
    expect(moveDown(last, layout)).toBe(last);
  });
});

describe('what was cut', () => {
  test('comes back where the cursor is', () => {
    expect(shown(yank(moveToStart(killWordBack(at('one two|')))))).toBe('two|one ');
  });

  test('in one piece when it was cut in one go, in either direction', () => {
    const cut = killWordBack(killWordBack(at('one two three|')));
    expect(cut.kills).toEqual(['two three']);
    expect(killWord(killWord(at('|one two'))).kills).toEqual(['one two']);
    expect(killWord(killWordBack(at('one| two'))).kills).toEqual(['one two']);
  });

  test('in several when something else was done between', () => {
    const cut = killWordBack(moveRight(moveLeft(killWordBack(at('one two|')))));
    expect(cut.kills).toEqual(['one ', 'two']);
  });

  test('older ones come in turn, then the newest again', () => {
    const cut = moveToStart(killWordBack(moveLeft(killWordBack(at('one two three|')))));
    expect(cut.kills).toEqual(['two', 'three']);
    const newest = yank(cut);
    const older = yankPop(newest);
    expect([newest, older, yankPop(older)].map(shown)).toEqual(['two|one  ', 'three|one  ', 'two|one  ']);
    expect(shown(undo(older))).toBe(shown(newest));
  });

  test('older ones come only right after the newest', () => {
    const field = moveLeft(yank(killWordBack(at('one two|'))));
    expect(yankPop(field)).toBe(field);
  });

  test('is kept for the next text, up to thirty pieces', () => {
    let field = emptyField;
    for (let i = 0; i < 40; i++) field = moveToEnd(killWordBack(insert(field, `word${i}`)));
    expect(field.kills).toHaveLength(30);
    expect(setText(field, 'new').kills[0]).toBe('word39');
  });

  test('cutting and putting back is doing nothing', () => {
    const cuts: Edit[] = [killWordBack, killWord, killToHome, killToEnd];
    fc.assert(
      fc.property(anyText, fc.nat(60), fc.constantFrom(...cuts), (text, offset, cut) => {
        const field = moveTo(setText(emptyField, text), Math.min(offset, text.length));
        const done = cut(field);
        // Where the cut joined two characters the cursor had to move on.
        fc.pre(done.cursor === done.changes.past.at(-1)?.at);
        expect(yank(done).text).toBe(field.text);
      }),
    );
  });
});

describe('undo', () => {
  const steps = (field: TextField): string[] => {
    const texts = [field.text];
    for (let now = field, before = undo(now); before !== now; now = before, before = undo(now))
      texts.push(before.text);
    return texts;
  };

  test('takes back a word at a time', () => {
    expect(steps(typed(emptyField, 'one two three'))).toEqual(['one two three', 'one two ', 'one ', '']);
  });

  test('takes back lines and what is between Chinese commas', () => {
    expect(steps(typed(emptyField, 'one\ntwo'))).toEqual(['one\ntwo', 'one\n', '']);
    expect(steps(typed(emptyField, '你好，世界'))).toEqual(['你好，世界', '你好，', '']);
  });

  test('ends a word where the cursor was moved', () => {
    const field = typed(moveRight(moveLeft(typed(emptyField, 'ab'))), 'cd');
    expect(steps(field)).toEqual(['abcd', 'ab', '']);
  });

  test('takes back what was pasted as one, apart from what was typed', () => {
    const field = typed(insert(typed(emptyField, 'see '), 'a b c'), '!?');
    expect(steps(field)).toEqual(['see a b c!?', 'see a b c', 'see ', '']);
  });

  test('brings back what was deleted a word at a time', () => {
    let field = setText(emptyField, 'one two');
    for (let i = 0; i < 7; i++) field = backspace(field);
    expect(steps(field)).toEqual(['', 'one', 'one two']);
    field = moveToStart(setText(emptyField, 'one two'));
    for (let i = 0; i < 7; i++) field = deleteForward(field);
    expect(steps(field)).toEqual(['', 'two', 'one two']);
  });

  test('brings back what was cleared, cut, or replaced from elsewhere', () => {
    const field = at('some te|xt');
    for (const edit of [clear, killToHome, (one: TextField) => replaceAll(one, 'from the editor')]) {
      expect(shown(undo(edit(field)))).toBe('some te|xt');
      expect(redo(undo(edit(field)))).toMatchObject({text: edit(field).text, cursor: edit(field).cursor});
    }
  });

  test('cannot be taken back once something else was written', () => {
    const field = insert(undo(insert(emptyField, 'ab')), 'cd');
    expect(redo(field)).toBe(field);
  });

  test('does not lead out of another text', () => {
    const field = setText(typed(emptyField, 'one two'), 'fresh');
    expect(undo(field)).toBe(field);
  });

  test('remembers two hundred steps', () => {
    let field = emptyField;
    for (let i = 0; i < 250; i++) field = insert(field, 'ab');
    expect(steps(field)).toHaveLength(201);
  });
});

describe('any course of keys', () => {
  const layoutOf = ({text}: TextField) => layoutText(text, 12);
  const moves: Edit[] = [
    ...[moveLeft, moveRight, moveWordLeft, moveWordRight, moveHome, moveEnd, moveToStart, moveToEnd],
    (field) => moveUp(field, layoutOf(field)),
    (field) => moveDown(field, layoutOf(field)),
  ];
  const edits: Edit[] = [
    ...[
      newline,
      backspace,
      deleteForward,
      killWordBack,
      killWord,
      killToHome,
      killToEnd,
      yank,
      yankPop,
      clear,
    ],
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
  const fieldOf = (course: readonly Edit[]): TextField =>
    course.reduce((field, edit) => edit(field), emptyField);

  test('leaves the cursor where one may stand, and the text well formed', () => {
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

  test('can be taken back one edit, and be done again', () => {
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

  test('can be taken back to the start and be done again to the end', () => {
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
