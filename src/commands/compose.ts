import {moveCompletionMenu} from '#app/compose/accept-completion.ts';
import {openFilePathPicker} from '#app/compose/attach-files.ts';
import {moveActivePart, toggleDestinationFields} from '#app/compose/composer-focus.ts';
import {pressEnter, pressEscape, pressSend, pressTab} from '#app/compose/composer-keys.ts';
import {toggleComposerPreview} from '#app/compose/composer-preview.ts';
import {editInExternalEditor} from '#app/compose/external-editor.ts';
import {composeProblem, openDestination, saveTextAsDraft} from '#app/compose/open-composer.ts';
import {moveDownOrRecall, moveUpOrRecall, openSentPicker} from '#app/compose/recall-sent.ts';
import {startNewDirectMessage, startNewTopic} from '#app/compose/reply.ts';
import {openSchedulePicker} from '#app/compose/schedule-message.ts';
import {openSnippetPicker} from '#app/compose/snippet-picker.ts';
import {openWidgetPicker} from '#app/compose/widget-picker.ts';
import type {App} from '#app/core/app.ts';
import type {SendKey} from '#app/text/send-keys.ts';
import type {Command} from './command.ts';

const inComposer = (
  id: string,
  title: string,
  run: Command['run'],
  more: Partial<Command> = {},
): Command => ({id, title, contexts: ['composer'], ...more, run});

const keyOnly = {isKeyOnly: true} as const;

/** Only where somebody writes. */
const notWriting = ({screen}: App) =>
  screen.focus === 'composer' ? undefined : 'Only in the composer: press r, c or x to write';

const enter =
  (key: SendKey): Command['run'] =>
  (app, press) =>
    pressEnter(app, key, press?.isBurst === true);

function completionStep(step: 1 | -1): Command['run'] {
  return (app) => {
    if (app.screen.composer.menu === undefined) app.toast('Nothing to complete here');
    else moveCompletionMenu(app, step);
  };
}

export const composeCommands: readonly Command[] = [
  {
    id: 'compose.topic',
    title: 'New topic in this channel',
    aliases: ['new topic', 'start topic', 'new message', 'write', 'compose', 'post'],
    contexts: ['nav'],
    hint: 'new topic',
    hints: {'msgs unwritten': 2, 'msgs channel': 2, 'msgs empty': 2, 'inbox nothing': 2},
    opensTextField: true,
    disabledReason: composeProblem,
    run: startNewTopic,
  },
  {
    id: 'compose.dm',
    title: 'New direct message',
    aliases: ['new message', 'new dm', 'message someone', 'private message'],
    contexts: ['nav'],
    hint: 'direct message',
    hints: {'msgs empty': 3, 'inbox nothing': 3},
    opensTextField: true,
    disabledReason: composeProblem,
    run: startNewDirectMessage,
  },
  {
    id: 'compose.narrow',
    title: 'Go to the destination',
    aliases: ['go to recipient', 'narrow to recipient'],
    contexts: ['nav', 'composer'],
    run: openDestination,
  },
  inComposer('compose.enter', 'Send or new line, by account setting', enter('Enter'), keyOnly),
  inComposer('compose.enter.other', 'New line or send, the opposite of Enter', enter('Alt-Enter'), keyOnly),
  inComposer('compose.newline', 'New line', enter('Ctrl-J'), {...keyOnly, aliases: ['line break']}),
  inComposer('compose.newline.shift', 'New line', enter('Shift-Enter'), keyOnly),
  inComposer('compose.send', 'Send message; closes an empty composer', pressSend, {
    aliases: ['send', 'post', 'submit'],
    hint: 'send',
    disabledReason: notWriting,
  }),
  inComposer(
    'compose.tab',
    'Complete, indent or next field',
    (app, press) => pressTab(app, press?.isBurst === true),
    keyOnly,
  ),
  inComposer(
    'compose.backtab',
    'Previous field: text, topic, channel',
    (app) => moveActivePart(app, -1),
    keyOnly,
  ),
  inComposer('compose.close', 'Close composer; keeps a draft', pressEscape, {
    aliases: ['close composer', 'stop writing'],
    ...keyOnly,
    hint: 'close',
    hints: {composer: 1},
  }),
  inComposer('compose.recipient', 'Change destination', toggleDestinationFields, {
    aliases: ['recipient', 'change channel', 'change topic'],
    hint: 'destination',
    hints: {composer: 2},
    disabledReason: notWriting,
  }),
  inComposer(
    'compose.up',
    'Line up; older sent message; edit last message',
    (app, press) => moveUpOrRecall(app, press?.isWheel === true),
    keyOnly,
  ),
  inComposer(
    'compose.down',
    'Line down; newer sent message',
    (app, press) => moveDownOrRecall(app, press?.isWheel === true),
    keyOnly,
  ),
  inComposer('compose.history', 'Search sent messages', openSentPicker, {
    aliases: ['sent messages', 'recall'],
    disabledReason: notWriting,
  }),
  inComposer('compose.editor', 'Write in external editor', editInExternalEditor, {
    aliases: ['external editor', 'vim', 'emacs', 'nano'],
    hint: 'editor',
    hints: {composer: 5},
    disabledReason: notWriting,
  }),
  inComposer('compose.preview', 'Show / hide preview', toggleComposerPreview, {
    aliases: ['preview', 'rendered'],
    hint: 'preview',
    hints: {composer: 4},
    disabledReason: notWriting,
  }),
  inComposer('compose.snippet', 'Insert saved snippet', openSnippetPicker, {
    aliases: ['snippets', 'template', 'canned response'],
    disabledReason: notWriting,
  }),
  inComposer('compose.attach', 'Attach file', openFilePathPicker, {
    aliases: ['upload', 'attach', 'file', 'upload file', 'attachment', 'send image'],
    hint: 'attach',
    hints: {composer: 3},
    disabledReason: notWriting,
  }),
  inComposer('compose.schedule', 'Schedule message', openSchedulePicker, {
    aliases: ['schedule', 'send later', 'delay'],
    hint: 'schedule',
    hints: {composer: 6},
    disabledReason: notWriting,
  }),
  inComposer(
    'compose.stash',
    'Save draft and start over',
    (app) => {
      if (!saveTextAsDraft(app)) app.toast('Nothing to save yet');
    },
    {aliases: ['save draft', 'stash', 'clear composer'], disabledReason: notWriting},
  ),
  inComposer('format.poll', 'Insert poll or to-do list', openWidgetPicker, {
    aliases: ['poll', 'new poll', 'survey', 'todo', 'checklist'],
    disabledReason: notWriting,
  }),
  inComposer('menu.next.c', 'Next completion', completionStep(1), keyOnly),
  inComposer('menu.prev.c', 'Previous completion', completionStep(-1), keyOnly),
];
