import {isVerbName} from '#cli/verbs/verb-table.ts';
import {commandTable} from '#commands/command-table.ts';
import {defaultKeymap, keyTable} from '#commands/keymap.ts';

/** An operation of the service, and how users reach it. An operation without a command runs by itself. */
interface Operation {
  readonly operation: string;
  readonly commands: readonly string[];
  readonly verbs: readonly string[];
  readonly note?: string;
}

const operations: readonly Operation[] = [
  {
    operation: 'Send a message',
    commands: ['compose.send', 'reply', 'compose.topic', 'compose.dm'],
    verbs: ['send'],
  },
  {
    operation: 'Subscribe to a channel, create one, add people',
    commands: ['channel.subscribe', 'channel.new', 'channel.add-people'],
    verbs: ['subscribe', 'channel create'],
  },
  {operation: 'Update a user by email', commands: ['user.find', 'user.edit'], verbs: ['user update']},
  {
    operation: 'Update your presence',
    commands: ['status.set'],
    verbs: ['status'],
    note: 'also by itself, every minute',
  },
  {
    operation: 'Topic muting',
    commands: ['topic.mute', 'topic.follow', 'topic.visibility'],
    verbs: ['mute', 'unmute', 'follow', 'unfollow'],
  },
  {operation: 'Get a user by email', commands: ['user.find'], verbs: ['user show']},
  {
    operation: 'Update a user',
    commands: ['user.edit', 'user.deactivate'],
    verbs: ['user update', 'user deactivate'],
  },
  {
    operation: 'Update message flags for a narrow',
    commands: ['view.mark', 'conv.done', 'mark.unread', 'msg.star'],
    verbs: ['mark-read', 'star', 'unstar'],
  },
  {operation: 'Edit a draft', commands: ['draft.edit', 'view.drafts'], verbs: ['drafts'], note: 'also while you write'},
  {operation: "Get a message's edit history", commands: ['msg.history'], verbs: ['api']},
  {operation: 'Update a subscription setting', commands: ['channel.settings'], verbs: ['mute', 'unmute']},
  {operation: 'Update a linkifier', commands: ['linkifiers.list'], verbs: ['linkifier edit']},
  {
    operation: 'Remove an emoji reaction',
    commands: ['react.picker', 'react.first', 'react.thumb'],
    verbs: ['react'],
  },
  {operation: 'Get topics in a channel', commands: ['view.topics'], verbs: ['api']},
  {operation: 'Add a navigation view', commands: ['sidebar.add', 'sidebar.views'], verbs: ['api']},
  {operation: 'Add an allowed domain', commands: ['domains.list'], verbs: ['api']},
  {operation: 'Delete a message', commands: ['msg.delete'], verbs: ['delete']},
  {operation: 'Delete an event queue', commands: ['app.quit'], verbs: ['tail'], note: 'by itself, at the end'},
  {operation: 'Mark all messages as read', commands: ['mark.all.read'], verbs: ['mark-read']},
  {operation: 'Get all custom profile fields', commands: ['profile-fields.list', 'profile.edit'], verbs: ['api']},
  {operation: 'Create a video call', commands: ['call.video', 'call.audio'], verbs: ['api']},
  {operation: 'Get server settings', commands: ['server.about'], verbs: ['doctor', 'login']},
];

/** Returns the table of the manual, one row per command. Throws when a command or verb does not exist. */
export function operationsMarkdown(): string {
  const keysById = new Map(keyTable(defaultKeymap, commandTable).map(({id, keys}) => [id, keys]));
  const rows = operations.flatMap(({operation, commands, verbs, note}) => {
    const name = note === undefined ? operation : `${operation} (${note})`;
    return commands.map((id, at) => {
      const [key] = keysById.get(id) ?? [];
      const isFirst = at === 0;
      const cells = [
        isFirst ? name : '',
        titleOf(id),
        key === undefined ? '' : `\`${key}\``,
        isFirst ? verbs.map(verbMarkdown).join(', ') : '',
      ];
      return `| ${cells.join(' | ')} |`;
    });
  });
  return ['| operation | command | key | verb |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function titleOf(id: string): string {
  const command = commandTable.get(id);
  if (command === undefined) throw new Error(`There is no command ${id}.`);
  return command.title.replaceAll('|', '\\|');
}

function verbMarkdown(verb: string): string {
  if (!isVerbName(verb)) throw new Error(`There is no verb ${verb}.`);
  return `\`${verb}\``;
}
