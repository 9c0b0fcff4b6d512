import {editOrShow} from '#app/compose/message-edit.ts';
import {composeProblem} from '#app/compose/opening.ts';
import {forward, quote, reply, replyDirectly, replyMentioning} from '#app/compose/replying.ts';
import type {Command} from './command.ts';
import {onMessage} from './on-message.ts';

export const replyingCommands: readonly Command[] = [
  {
    id: 'reply',
    title: 'Reply to the selected message',
    contexts: ['msgs'],
    hint: 'reply',
    disabledReason: composeProblem,
    run: reply,
  },
  onMessage('reply.dm', 'Reply directly to the sender', replyDirectly, {problem: composeProblem}),
  onMessage('reply.mention', 'Reply mentioning the sender', replyMentioning, {problem: composeProblem}),
  onMessage('quote', 'Quote and reply', quote, {problem: composeProblem, hint: 'quote'}),
  onMessage('forward', 'Forward the message', forward, {problem: composeProblem}),
  onMessage('msg.edit', 'Edit the message, or view its source', editOrShow, {hint: 'edit'}),
];
