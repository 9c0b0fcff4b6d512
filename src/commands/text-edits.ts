import {type ChangeKind, changeActiveField, changeMessageText} from '#ui/composer/change-composer.ts';
import {editInNormalMode, moveRow, moveSideways} from '#ui/composer/composer-keys.ts';
import {cancelDelayedSend} from '#ui/composer/send-message.ts';
import type {App} from '#ui/core/app.ts';
import {type MarkupKind, withMarkup} from '#ui/text/markup.ts';
import {insertEdits, normalEdits} from '#ui/text/normal-mode.ts';
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
  moveWordLeft,
  moveWordRight,
  redo,
  type TextField,
  undo,
  yank,
  yankPop,
} from '#ui/text/text-field.ts';
import {type Command, command} from './command.ts';
import {composerOnly} from './compose.ts';

const edit = (id: string, title: string, change: (field: TextField) => TextField, kind: ChangeKind = 'placed') =>
  command(id, title, (app) => void changeActiveField(app, change, kind), {contexts: ['composer'], isKeyOnly: true});

const sideways = (id: string, title: string, step: 1 | -1) =>
  command(id, title, (app) => moveSideways(app, step), {contexts: ['composer'], isKeyOnly: true});

const format = (id: string, title: string, markup: MarkupKind, aliases: readonly string[]) =>
  command(id, title, (app) => changeMessageText(app, (field) => withMarkup(field, markup)), {
    aliases,
    contexts: ['composer'],
    disabledReason: composerOnly,
  });

const normal = {contexts: ['normal'], isKeyOnly: true} as const;

/** The commands of the normal mode of the composer, which the preset vim+ binds to keys. */
const normalModeCommands: readonly Command[] = [
  ...Object.entries(normalEdits).map(([id, [title, change]]) =>
    command(`normal.${id}`, title, (app) => editInNormalMode(app, change, true), normal),
  ),
  ...Object.entries(insertEdits).map(([id, [title, change]]) =>
    command(`normal.${id}`, title, (app) => editInNormalMode(app, change, false), {
      ...normal,
      ...(id === 'insert' && {hint: 'write', hints: {normal: 1}}),
    }),
  ),
  command('normal.down', 'Line down', (app) => moveRow(app, 1), normal),
  command('normal.up', 'Line up', (app) => moveRow(app, -1), normal),
];

/** Undoes typing. In an empty composer it cancels the delayed send of the last message and restores its text. */
function undoEdit(app: App): void {
  const {composer} = app.screen;
  const notSent = composer.field.text === '' ? cancelDelayedSend(app) : undefined;
  if (notSent !== undefined) app.toast(notSent);
  else changeActiveField(app, undo, 'placed');
}

export const textEditCommands: readonly Command[] = [
  edit('edit.home', 'Move to line start', moveHome),
  edit('edit.end', 'Move to line end', moveEnd),
  sideways('edit.left', 'Move left', -1),
  sideways('edit.right', 'Move right', 1),
  edit('edit.word.left', 'Move one word left', moveWordLeft),
  edit('edit.word.right', 'Move one word right', moveWordRight),
  edit('edit.backspace', 'Delete previous character', backspace, 'typed'),
  edit('edit.delete', 'Delete next character', deleteForward, 'typed'),
  edit('edit.kill.word.back', 'Cut previous word', killWordBack, 'typed'),
  edit('edit.kill.word', 'Cut next word', killWord),
  edit('edit.kill.home', 'Cut to line start', killToHome),
  edit('edit.kill.end', 'Cut to line end', killToEnd),
  {...edit('edit.yank', 'Paste the last cut', yank), aliases: ['yank', 'paste']},
  {...edit('edit.yankpop', 'Paste an earlier cut', yankPop), aliases: ['yank', 'paste']},
  {id: 'edit.undo', title: 'Undo typing', contexts: ['composer'], isKeyOnly: true, run: undoEdit},
  edit('edit.redo', 'Redo typing', redo),
  format('format.bold', 'Bold', 'bold', ['strong']),
  format('format.italic', 'Italic', 'italic', ['emphasis']),
  format('format.code', 'Code', 'code', ['code block', 'monospace']),
  format('format.link', 'Insert link', 'link', ['hyperlink', 'url']),
  format('format.quote', 'Quote block', 'quote', ['blockquote']),
  command(
    'format.time',
    'Insert time, shown in each reader’s time zone',
    (app) => void changeActiveField(app, (field) => insert(field, '<time:'), 'typed'),
    {
      aliases: ['timestamp', 'time zone', 'global time'],
      contexts: ['composer'],
      disabledReason: composerOnly,
    },
  ),
  ...normalModeCommands,
];
