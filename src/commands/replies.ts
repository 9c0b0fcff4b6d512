import type {Message} from '#state/model/message.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import {editOrShowSource} from '#ui/composer/edit-message.ts';
import {
  composeProblem,
  forward,
  quote,
  reply,
  replyMentioning,
  replyProblem,
  replyToSenderDirectly,
} from '#ui/composer/open-composer.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import {confirmResend, editUnsent} from '#ui/drafts-panel/draft-actions.ts';
import {openVotePicker, widgetIn} from '#ui/message-actions/vote-picker.ts';
import {selectedMessage, selectedOutboxEntry} from '#ui/message-pane/selection.ts';
import {openNarrow} from '#ui/navigation/navigation.ts';
import {type Command, command} from './command.ts';
import {messageCommand} from './message-actions.ts';
import {offeredWiderSearch} from './views.ts';

/** Enter: votes, searches all public channels after a search without results, or replies. */
function voteSearchOrReply(app: App): void {
  const widget = selectedWidget(app);
  const wider = offeredWiderSearch(app);
  if (widget !== undefined) openVotePicker(app, widget);
  else if (wider !== undefined) openNarrow(app, wider);
  else reply(app);
}

function enterProblem(app: AppReader): string | undefined {
  if (selectedWidget(app) !== undefined) return changeProblem(app);
  return offeredWiderSearch(app) === undefined ? replyProblem(app) : undefined;
}

/** Returns the selected message if it is a poll or a to-do list. */
function selectedWidget(app: AppReader): Message | undefined {
  const message = selectedMessage(app);
  return message !== undefined && widgetIn(message) !== undefined ? message : undefined;
}

export const replyCommands: readonly Command[] = [
  command('msg.enter', 'Vote in poll or tick tasks; reply to other messages', voteSearchOrReply, {
    isChange: true,
    isKeyOnly: true,
    contexts: ['msgs'],
    hint: 'vote',
    hints: {
      'msgs poll': 0,
      'msgs todo': [0, 'tick tasks'],
      'msgs wider': [1, 'search all public channels'],
    },
    opensTextField: true,
    disabledReason: enterProblem,
  }),
  command('reply', 'Reply to message', reply, {
    isChange: true,
    aliases: ['answer', 'respond', 'write'],
    contexts: ['msgs'],
    hint: 'reply',
    hints: {
      msgs: 1,
      'msgs unwritten': [1, 'write first message'],
      'msgs unsent': 4,
    },
    messageMenu: {group: 'reply', position: 1},
    opensTextField: true,
    disabledReason: (app) => replyProblem(app),
  }),
  {
    id: 'unsent.send',
    title: 'Send unsent message again…',
    isChange: true,
    aliases: ['resend', 'retry', 'send now'],
    contexts: ['msgs'],
    hint: 'send again',
    hints: {'msgs unsent': 1},
    disabledReason: (app) =>
      selectedOutboxEntry(app) === undefined ? 'Only for a message that is not sent yet' : composeProblem(app),
    run: (app) => {
      const entry = selectedOutboxEntry(app);
      if (entry !== undefined) confirmResend(app, entry);
    },
  },
  messageCommand('reply.dm', 'Reply in a direct message', replyToSenderDirectly, {
    aliases: ['reply privately', 'private reply', 'dm sender'],
    messageMenu: {group: 'reply', position: 4},
    opensTextField: true,
    isChange: true,
    problem: composeProblem,
  }),
  messageCommand('reply.mention', 'Reply and mention the sender', replyMentioning, {
    aliases: ['mention', 'ping sender'],
    messageMenu: {group: 'reply', position: 3},
    opensTextField: true,
    isChange: true,
    problem: replyProblem,
  }),
  messageCommand('quote', 'Quote and reply', quote, {
    aliases: ['quote message', 'cite'],
    hint: 'quote',
    hints: {msgs: 6},
    messageMenu: {group: 'reply', position: 2},
    opensTextField: true,
    isChange: true,
    problem: replyProblem,
  }),
  messageCommand('forward', 'Forward message', forward, {
    aliases: ['forward', 'share'],
    messageMenu: {group: 'reply', position: 5},
    opensTextField: true,
    isChange: true,
    problem: composeProblem,
  }),
  messageCommand('msg.edit', 'Edit message, or view its source', editOrShowSource, {
    aliases: ['edit', 'change', 'correct', 'fix typo'],
    hint: 'edit',
    hints: {'msgs unsent': 2},
    messageMenu: {group: 'change', position: 1},
    opensTextField: true,
    runOnUnsent: editUnsent,
  }),
];
