import type {App} from '#app/app.ts';
import {pickFile} from '#app/compose/attaching.ts';
import {moveMenu} from '#app/compose/completing.ts';
import {pressEnter, pressEscape, pressSend} from '#app/compose/entering.ts';
import {editOutside} from '#app/compose/external-editor.ts';
import {composeProblem, goToTarget, stashText} from '#app/compose/opening.ts';
import {pressTab, stepPlace, toggleRecipients} from '#app/compose/places.ts';
import {togglePreview} from '#app/compose/preview.ts';
import {goDown, goUp, pickSent} from '#app/compose/recalling.ts';
import {newDirect, newTopic} from '#app/compose/replying.ts';
import {pickSchedule} from '#app/compose/scheduling.ts';
import {pickSnippet} from '#app/compose/snippets.ts';
import {pickWidget} from '#app/compose/widgets.ts';
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
  screen.focus === 'composer' ? undefined : 'There is nothing being written: r, c or x begins.';

const enter =
  (key: SendKey): Command['run'] =>
  (app, press) =>
    pressEnter(app, key, press?.isBurst === true);

function completionStep(step: 1 | -1): Command['run'] {
  return (app) => {
    if (app.screen.composer.menu === undefined) app.toast('Nothing to complete here.');
    else moveMenu(app, step);
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
    run: newTopic,
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
    run: newDirect,
  },
  {
    id: 'compose.narrow',
    title: 'Go to where the message goes',
    aliases: ['go to destination', 'go to recipient'],
    contexts: ['nav', 'composer'],
    run: goToTarget,
  },
  inComposer('compose.enter', 'Send, or a new line, as the account has it', enter('Enter'), keyOnly),
  inComposer('compose.enter.other', 'The opposite of Enter', enter('Alt-Enter'), keyOnly),
  inComposer('compose.newline', 'New line', enter('Ctrl-J'), {...keyOnly, aliases: ['line break']}),
  inComposer('compose.newline.shift', 'New line', enter('Shift-Enter'), keyOnly),
  inComposer('compose.send', 'Send; an empty composer closes', pressSend, {
    aliases: ['send', 'post', 'submit'],
    hint: 'send',
    disabledReason: notWriting,
  }),
  inComposer(
    'compose.tab',
    'Complete, indent, or go to the next part',
    (app, press) => pressTab(app, press?.isBurst === true),
    keyOnly,
  ),
  inComposer(
    'compose.backtab',
    'The part before: text, topic, channel',
    (app) => stepPlace(app, -1),
    keyOnly,
  ),
  inComposer('compose.close', 'Close; the text is kept as a draft', pressEscape, {
    aliases: ['close composer', 'stop writing'],
    ...keyOnly,
    hint: 'close',
    hints: {composer: 1},
  }),
  inComposer('compose.recipient', 'Change where the message goes', toggleRecipients, {
    aliases: ['recipient', 'change channel', 'change topic'],
    hint: 'destination',
    hints: {composer: 2},
    disabledReason: notWriting,
  }),
  inComposer(
    'compose.up',
    'Line up; what was sent before; edit my last message',
    (app, press) => goUp(app, press?.isWheel === true),
    keyOnly,
  ),
  inComposer(
    'compose.down',
    'Line down; what was sent after',
    (app, press) => goDown(app, press?.isWheel === true),
    keyOnly,
  ),
  inComposer('compose.history', 'Search what I sent before', pickSent, {
    aliases: ['sent messages', 'recall'],
    disabledReason: notWriting,
  }),
  inComposer('compose.editor', 'Write in the editor', editOutside, {
    aliases: ['external editor', 'vim', 'emacs', 'nano'],
    hint: 'editor',
    hints: {composer: 5},
    disabledReason: notWriting,
  }),
  inComposer('compose.preview', 'Preview, and back', togglePreview, {
    aliases: ['preview', 'rendered'],
    hint: 'preview',
    hints: {composer: 4},
    disabledReason: notWriting,
  }),
  inComposer('compose.snippet', 'Saved snippets', pickSnippet, {
    aliases: ['snippets', 'template', 'canned response'],
    disabledReason: notWriting,
  }),
  inComposer('compose.attach', 'Attach a file', pickFile, {
    aliases: ['upload', 'attach', 'file', 'upload file', 'attachment', 'send image'],
    hint: 'attach',
    hints: {composer: 3},
    disabledReason: notWriting,
  }),
  inComposer('compose.schedule', 'Send later', pickSchedule, {
    aliases: ['schedule', 'send later', 'delay'],
    hint: 'schedule',
    hints: {composer: 6},
    disabledReason: notWriting,
  }),
  inComposer(
    'compose.stash',
    'Save as a draft and begin anew',
    (app) => {
      if (!stashText(app)) app.toast('There is nothing to save yet.');
    },
    {aliases: ['save draft', 'stash', 'clear composer'], disabledReason: notWriting},
  ),
  inComposer('format.poll', 'Poll or todo list', pickWidget, {
    aliases: ['poll', 'new poll', 'survey', 'todo', 'checklist'],
    disabledReason: notWriting,
  }),
  inComposer('menu.next.c', 'Next completion', completionStep(1), keyOnly),
  inComposer('menu.prev.c', 'Previous completion', completionStep(-1), keyOnly),
];
