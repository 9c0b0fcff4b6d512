import type {App} from '#app/app.ts';
import {doUndoably} from '#app/deeds.ts';
import {toggleCollapsed} from '#app/timeline/collapsing.ts';
import {copyMessage, copyText} from '#app/timeline/copy-message.ts';
import {messageUrl} from '#app/timeline/message-url.ts';
import {thumb, toggleReaction} from '#app/timeline/reacting.ts';
import {askForVote, widgetIn} from '#app/timeline/vote.ts';
import {zoomTo} from '#app/timeline/zooming.ts';
import type {Message} from '#state/model/message.ts';
import type {Command} from './command.ts';
import {onMessage} from './on-message.ts';

function toggleStar(app: App, {id}: Message): void {
  const isStarred = app.state.starred.has(id);
  const op = isStarred ? 'remove' : 'add';
  doUndoably(app, {kind: 'flags', op, flag: 'starred', ids: [id]}, isStarred ? 'Unstarred' : 'Starred');
}

function openInBrowser(app: App, message: Message): void {
  app.device.open(messageUrl(app.state, message)).then(
    (said) => app.toast(said),
    (error: unknown) => app.toast(error instanceof Error ? error.message : String(error), 'error'),
  );
}

/** What is done to one message without leaving it. */
export const messageMarkCommands: readonly Command[] = [
  onMessage('msg.star', 'Star or unstar the message', toggleStar, {
    messageMenu: {group: 'react', position: 4},
  }),
  onMessage('react.thumb', 'React with thumbs up', (app, message) => toggleReaction(app, message, thumb), {
    messageMenu: {group: 'react', position: 2},
  }),
  onMessage(
    'react.first',
    'Join or leave the first reaction',
    (app, message) => {
      const [first] = message.reactions;
      if (first !== undefined) toggleReaction(app, message, first);
    },
    {problem: (_app, {reactions}) => (reactions.length === 0 ? 'Nobody has reacted to it yet.' : undefined)},
  ),
  onMessage('msg.collapse', 'Show all of the message, or less', toggleCollapsed, {
    messageMenu: {group: 'about', position: 5},
  }),
  onMessage(
    'msg.copylink',
    'Copy a link to the message',
    (app, message) => copyText(app, messageUrl(app.state, message), 'a link to the message'),
    {messageMenu: {group: 'open', position: 4}},
  ),
  onMessage('msg.copytext', 'Copy the text; again for its Markdown', copyMessage, {
    messageMenu: {group: 'open', position: 3},
  }),
  onMessage('msg.browser', 'Open the message in the browser', openInBrowser, {
    messageMenu: {group: 'open', position: 5},
  }),
  onMessage('msg.zoom', 'Show the message in its conversation', zoomTo, {
    messageMenu: {group: 'about', position: 4},
  }),
  onMessage('msg.vote', 'Vote in the poll, tick the tasks', askForVote, {
    messageMenu: {group: 'react', position: 3, isHiddenWhenDisabled: true},
    isChange: true,
    problem: (_app, message) =>
      widgetIn(message) === undefined ? 'This message is no poll and no list of tasks.' : undefined,
  }),
];
