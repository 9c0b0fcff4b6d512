import type {App} from '#app/app.ts';
import {type ChangeKind, changeActive, changeText} from '#app/compose/changing.ts';
import {takeBackPending} from '#app/compose/pending-send.ts';
import {type MarkUp, markedUp} from '#app/text/mark-up.ts';
import {
  backspace,
  deleteForward,
  insert,
  killToEnd,
  killToHome,
  killWord,
  killWordBack,
  moveEnd,
  moveHome,
  moveLeft,
  moveRight,
  moveWordLeft,
  moveWordRight,
  redo,
  type TextField,
  undo,
  yank,
  yankPop,
} from '#app/text/text-field.ts';
import type {Command} from './command.ts';

const edit = (
  id: string,
  title: string,
  change: (field: TextField) => TextField,
  kind: ChangeKind = 'placed',
): Command => ({
  id,
  title,
  contexts: ['composer'],
  isKeyOnly: true,
  run: (app) => void changeActive(app, change, kind),
});

const format = (id: string, title: string, markUp: MarkUp, aliases: readonly string[]): Command => ({
  id,
  title,
  aliases,
  contexts: ['composer'],
  disabledReason: notWriting,
  run: (app) => changeText(app, (field) => markedUp(field, markUp)),
});

function notWriting({screen}: App): string | undefined {
  return screen.focus === 'composer' ? undefined : 'There is nothing being written: r, c or x begins.';
}

/** With nothing to undo in an empty box, a message that has not left yet comes back. */
function undoEdit(app: App): void {
  const {composer} = app.screen;
  if (composer.field.text === '' && composer.pending !== undefined && takeBackPending(app)) {
    app.toast('Not sent');
    return;
  }
  changeActive(app, undo, 'placed');
}

export const editingCommands: readonly Command[] = [
  edit('edit.home', 'Line start', moveHome),
  edit('edit.end', 'Line end', moveEnd),
  edit('edit.left', 'Character left', moveLeft),
  edit('edit.right', 'Character right', moveRight),
  edit('edit.word.left', 'Word left', moveWordLeft),
  edit('edit.word.right', 'Word right', moveWordRight),
  edit('edit.backspace', 'Delete the character before', backspace, 'typed'),
  edit('edit.delete', 'Delete the character after', deleteForward, 'typed'),
  edit('edit.kill.word.back', 'Cut the word before', killWordBack, 'typed'),
  edit('edit.kill.word', 'Cut the word after', killWord),
  edit('edit.kill.home', 'Cut to the line start', killToHome),
  edit('edit.kill.end', 'Cut to the line end', killToEnd),
  {...edit('edit.yank', 'Put in what was cut', yank), aliases: ['yank', 'paste']},
  {...edit('edit.yankpop', 'Put in what was cut before that', yankPop), aliases: ['yank', 'paste']},
  {id: 'edit.undo', title: 'Undo in the text', contexts: ['composer'], isKeyOnly: true, run: undoEdit},
  edit('edit.redo', 'Redo in the text', redo),
  format('format.bold', 'Bold', 'bold', ['strong']),
  format('format.italic', 'Italic', 'italic', ['emphasis']),
  format('format.code', 'Code', 'code', ['code block', 'monospace']),
  format('format.link', 'Link', 'link', ['hyperlink', 'url']),
  format('format.quote', 'Quote', 'quote', ['blockquote']),
  {
    id: 'format.time',
    title: 'A time, for everybody in their own zone',
    aliases: ['timestamp', 'time zone', 'global time'],
    contexts: ['composer'],
    disabledReason: notWriting,
    run: (app) => void changeActive(app, (field) => insert(field, '<time:'), 'typed'),
  },
];
