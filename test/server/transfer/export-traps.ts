import {existsSync} from 'node:fs';
import {isAbsolute, join, normalize} from 'node:path';
import type {ReadExport, Row} from './read-export.ts';

/** A rule about several rows or tables. It yields a sentence for each violation, and `undefined` for each check. */
interface Trap {
  readonly name: string;
  check(data: ReadExport): Iterable<string | undefined>;
}

const direct = 2048;
const knownFlags = 1 | 2 | 4 | 8 | 16 | 32 | 64 | 512 | 1024 | direct | 4096;
const chain = ['owners', 'administrators', 'moderators', 'fullmembers', 'members', 'everyone', 'internet'];
const roleGroups: Readonly<Record<number, string>> = {
  100: 'role:owners',
  200: 'role:administrators',
  300: 'role:moderators',
  400: 'role:members',
  600: 'role:everyone',
};
const systemBots = ['notification-bot@zulip.com', 'welcome-bot@zulip.com', 'emailgateway@zulip.com'];
const address =
  /^[-!#$%&'*+/=?^_`{}|~0-9a-z]+(\.[-!#$%&'*+/=?^_`{}|~0-9a-z]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;

const problem = (isWrong: boolean, text: () => string) => (isWrong ? text() : undefined);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Yields a sentence for each key that an earlier row has too. */
function* unique(rows: Iterable<Row>, what: string, key: (row: Row) => unknown): Generator<string | undefined> {
  const seen = new Set<unknown>();
  for (const row of rows) {
    const value = key(row);
    yield problem(seen.has(value), () => `${what} ${JSON.stringify(value)} twice`);
    seen.add(value);
  }
}

/** What `sanitize_name` makes of a file name. */
function sanitized(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-');
}

export const traps: readonly Trap[] = [
  {
    name: 'the version is given, and no migrations',
    *check({version}) {
      yield problem(!/^\d+\.\d/.test(text(version.zulip_version)), () => 'zulip_version');
      yield problem(typeof version.migrations_by_app !== 'object', () => 'migrations_by_app');
    },
  },
  {
    name: 'the source is Zulip: otherwise everybody is welcomed',
    *check({importSource}) {
      yield problem(importSource !== 'zulip', () => `import_source ${importSource}`);
    },
  },
  {
    name: 'there is one organization with an owner',
    *check({rows}) {
      yield problem(rows('realm').length !== 1, () => `${rows('realm').length} rows`);
      yield problem(!rows('userprofile').some(({role}) => role === 100), () => 'no owner');
    },
  },
  {
    name: 'roles and types of bots are known',
    *check({rows}) {
      for (const {id, role, is_bot, bot_type} of rows('userprofile')) {
        yield problem(!Object.hasOwn(roleGroups, String(role)), () => `user ${id}: role ${role}`);
        const isKnown = is_bot === true ? [1, 2, 3].includes(Number(bot_type)) : bot_type === null;
        yield problem(!isKnown && bot_type !== 4, () => `user ${id}: bot type ${bot_type}`);
      }
    },
  },
  {
    name: 'an outgoing webhook has its service',
    *check({rows}) {
      const served = new Set(rows('service').map(({user_profile}) => user_profile));
      for (const {id} of rows('userprofile').filter(({bot_type}) => bot_type === 3)) {
        yield problem(!served.has(id), () => `bot ${id}`);
      }
    },
  },
  {
    name: 'e-mail addresses are valid and unique whatever their case',
    *check({rows}) {
      for (const key of ['email', 'delivery_email']) {
        for (const row of rows('userprofile')) {
          yield problem(!address.test(text(row[key])), () => `user ${row.id}: ${key} ${row[key]}`);
        }
        yield* unique(rows('userprofile'), key, (row) => text(row[key]).toLowerCase());
      }
    },
  },
  {
    name: 'the accounts of the server itself are known',
    *check({rows}) {
      for (const {email} of rows('userprofile_crossrealm')) {
        yield problem(!systemBots.includes(text(email)), () => String(email));
      }
    },
  },
  {
    name: 'names of channels and groups are unique whatever their case',
    *check({rows}) {
      for (const table of ['stream', 'namedusergroup']) {
        yield* unique(rows(table), table, ({name}) => text(name).toLowerCase());
      }
    },
  },
  {
    name: 'recipients are channels (2) and direct conversations (3), one each',
    *check({rows, has}) {
      for (const {id, type, type_id} of rows('recipient')) {
        const target = type === 2 ? 'stream' : type === 3 ? 'huddle' : '';
        yield problem(!has(target, type_id), () => `recipient ${id}: type ${type}, id ${type_id}`);
      }
      yield* unique(rows('recipient'), 'recipient', ({type, type_id}) => `${type} ${type_id}`);
      const known = new Set(rows('recipient').map(({type, type_id}) => `${type} ${type_id}`));
      for (const {id} of rows('stream')) yield problem(!known.has(`2 ${id}`), () => `channel ${id} has none`);
      for (const {id} of rows('huddle')) yield problem(!known.has(`3 ${id}`), () => `conversation ${id} has none`);
    },
  },
  {
    name: 'a direct conversation has its participants, and no other has the same',
    *check({rows, participants}) {
      const keys: Row[] = [];
      for (const {id, type, type_id} of rows('recipient')) {
        if (type !== 3) continue;
        const people = participants(id);
        const size = rows('huddle').find((huddle) => huddle.id === type_id)?.group_size;
        yield problem(people.length !== size, () => `conversation ${type_id}: ${people.length} of ${size}`);
        keys.push({key: [...people].sort((a, b) => Number(a) - Number(b)).join(',')});
      }
      yield* unique(keys, 'conversation of', ({key}) => key);
    },
  },
  {
    name: 'a person has one subscription to a recipient',
    check: ({rows}) => unique(rows('subscription'), 'subscription', (row) => `${row.user_profile} ${row.recipient}`),
  },
  {
    name: "a topic's settings name the recipient of its channel",
    *check({rows, recipient}) {
      for (const {id, stream, recipient: of} of rows('usertopic')) {
        const known = recipient(of);
        yield problem(known?.type !== 2 || known.type_id !== stream, () => `usertopic ${id}`);
      }
      yield* unique(
        rows('usertopic'),
        'usertopic',
        (row) => `${row.user_profile} ${row.stream} ${text(row.topic_name).toLowerCase()}`,
      );
    },
  },
  {
    name: 'the system groups are there, each with the one before it',
    *check({rows}) {
      const groups = new Map(rows('namedusergroup').map((group) => [group.name, group]));
      const pairs = new Set(rows('groupgroupmembership').map(({supergroup, subgroup}) => `${supergroup} ${subgroup}`));
      yield problem(!groups.has('role:nobody'), () => 'role:nobody');
      for (const [index, name] of chain.entries()) {
        const group = groups.get(`role:${name}`);
        yield problem(group?.is_system_group !== true, () => `role:${name}`);
        const before = groups.get(`role:${chain[index - 1]}`);
        if (before !== undefined)
          yield problem(!pairs.has(`${group?.id} ${before.id}`), () => `role:${name}: subgroup`);
      }
      const nobody = groups.get('role:nobody')?.id;
      for (const group of rows('namedusergroup').filter(({is_system_group}) => is_system_group === true)) {
        for (const [key, value] of Object.entries(group)) {
          if (/^can_.*_group$/.test(key)) yield problem(value !== nobody, () => `${group.name}: ${key}`);
        }
      }
    },
  },
  {
    name: 'everybody is in the group of their role, and members in that of full members',
    *check({rows}) {
      const ids = new Map(rows('namedusergroup').map(({name, id}) => [name, id]));
      const members = new Set(rows('usergroupmembership').map((row) => `${row.user_group} ${row.user_profile}`));
      const waiting = Number(rows('realm')[0]?.waiting_period_threshold ?? 0);
      for (const {id, role} of rows('userprofile')) {
        const names = [roleGroups[Number(role)], ...(role === 400 && waiting === 0 ? ['role:fullmembers'] : [])];
        for (const name of names) yield problem(!members.has(`${ids.get(name)} ${id}`), () => `user ${id}: ${name}`);
      }
      yield* unique(rows('usergroupmembership'), 'member', (row) => `${row.user_group} ${row.user_profile}`);
    },
  },
  {
    name: 'every group with a name has a row without it',
    *check({rows}) {
      for (const {id, usergroup_ptr} of rows('namedusergroup'))
        yield problem(id !== usergroup_ptr, () => `group ${id}`);
    },
  },
  {
    name: 'custom emoji of reactions and of statuses have the name of their row',
    *check({rows}) {
      const names = new Map(rows('realmemoji').map(({id, name}) => [String(id), name]));
      for (const table of ['reaction', 'userstatus']) {
        for (const {id, reaction_type, emoji_code, emoji_name} of rows(table)) {
          const isKnown = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'].includes(text(reaction_type));
          yield problem(!isKnown, () => `${table} ${id}: ${reaction_type}`);
          if (reaction_type !== 'realm_emoji') continue;
          yield problem(
            names.get(text(emoji_code)) !== emoji_name,
            () => `${table} ${id}: ${emoji_code} ${emoji_name}`,
          );
        }
      }
    },
  },
  {
    name: 'a person reacts once with an emoji',
    check: ({rows}) =>
      unique(
        rows('reaction'),
        'reaction',
        (row) => `${row.user_profile} ${row.message} ${row.reaction_type} ${row.emoji_code}`,
      ),
  },
  {
    name: 'message files have no gap, at most 1,000 messages, and ascending ids',
    *check({messageFiles}) {
      let last = 0;
      for (const [index, {name, messages}] of messageFiles.entries()) {
        yield problem(name !== `messages-${String(index + 1).padStart(6, '0')}.json`, () => name);
        yield problem(messages.length === 0 || messages.length > 1000, () => `${name}: ${messages.length} messages`);
        for (const {id} of messages) {
          yield problem(Number(id) <= last, () => `message ${id} after ${last}`);
          last = Number(id);
        }
      }
    },
  },
  {
    name: 'direct messages have the topic \\u0007 and are no channel messages',
    *check({rows, recipient}) {
      for (const row of [...rows('message'), ...rows('scheduledmessage')]) {
        const isDirect = recipient(row.recipient)?.type === 3;
        yield problem(isDirect !== (row.subject === '\u0007'), () => `message ${row.id}: subject`);
        const isChannel = row.is_channel_message ?? row.stream !== null;
        yield problem(isDirect === isChannel, () => `message ${row.id}: is_channel_message or stream`);
      }
    },
  },
  {
    name: 'HTML has version 1, and system bots give HTML',
    *check({rows, has}) {
      for (const {id, sender, rendered_content, rendered_content_version} of rows('message')) {
        const version = rendered_content === null ? null : 1;
        yield problem((rendered_content_version ?? null) !== version, () => `message ${id}: version`);
        const isBot = has('userprofile_crossrealm', sender);
        yield problem(isBot && typeof rendered_content !== 'string', () => `message ${id} of a system bot`);
      }
    },
  },
  {
    name: 'mentions with ids have HTML, in which ids are replaced',
    *check({rows}) {
      for (const {id, content, rendered_content} of rows('message')) {
        const isNumbered = /@_?\*\*[^*|\n]*\|\d+\*\*/.test(text(content));
        yield problem(isNumbered && rendered_content === null, () => `message ${id}`);
      }
    },
  },
  {
    name: 'edits are JSON in a text, newest first, with a known user and the HTML before',
    *check({rows, has}) {
      for (const {id, edit_history, last_edit_time} of rows('message')) {
        yield problem((last_edit_time === null) !== (edit_history === null), () => `message ${id}: last_edit_time`);
        let last = Number.POSITIVE_INFINITY;
        for (const edit of edit_history === null ? [] : JSON.parse(text(edit_history))) {
          yield problem(!has('user', edit.user_id), () => `message ${id}: user ${edit.user_id}`);
          yield problem(typeof edit.timestamp !== 'number' || edit.timestamp > last, () => `message ${id}: time`);
          last = edit.timestamp;
          const isContent = typeof edit.prev_content === 'string';
          yield problem(isContent !== (typeof edit.prev_rendered_content === 'string'), () => `message ${id}: HTML`);
          for (const key of ['topic', 'stream']) {
            yield problem(
              Object.hasOwn(edit, key) !== Object.hasOwn(edit, `prev_${key}`),
              () => `message ${id}: ${key}`,
            );
          }
          const known = /^(user_id|timestamp|(prev_)?(topic|stream)|prev_(rendered_)?content(_version)?)$/;
          const unknown = Object.keys(edit).find((key) => !known.test(key));
          yield problem(unknown !== undefined, () => `message ${id}: ${unknown}`);
        }
      }
    },
  },
  {
    name: 'flags belong to a message of their file, once for a person, with known bits',
    *check({messageFiles}) {
      for (const {name, messages, userMessages} of messageFiles) {
        const ids = new Set(messages.map(({id}) => id));
        for (const {message, flags_mask} of userMessages) {
          yield problem(!ids.has(message), () => `${name}: message ${message}`);
          yield problem((Number(flags_mask) & ~knownFlags) !== 0, () => `message ${message}: flags ${flags_mask}`);
        }
        yield* unique(userMessages, name, (row) => `${row.user_profile} ${row.message}`);
      }
    },
  },
  {
    name: 'everybody in a direct conversation has its messages, marked as direct',
    *check({messageFiles, recipient, participants, has}) {
      for (const {messages, userMessages} of messageFiles) {
        const flags = new Map(
          userMessages.map((row) => [`${row.user_profile} ${row.message}`, Number(row.flags_mask)]),
        );
        const directIds = new Set<unknown>();
        for (const {id, recipient: to} of messages) {
          if (recipient(to)?.type !== 3) continue;
          directIds.add(id);
          for (const person of participants(to)) {
            if (!has('userprofile', person)) continue;
            const mask = flags.get(`${person} ${id}`);
            yield problem(((mask ?? 0) & direct) === 0, () => `message ${id}, user ${person}: ${mask}`);
          }
        }
        for (const {message, flags_mask} of userMessages) {
          const isMarked = (Number(flags_mask) & direct) !== 0;
          yield problem(isMarked && !directIds.has(message), () => `message ${message} is in a channel`);
        }
      }
    },
  },
  {
    name: "a file's path ends in its name as the server changes it, and its size has 32 bits",
    *check({rows}) {
      for (const {id, path_id, file_name, size} of rows('attachment')) {
        yield problem(
          !text(path_id).endsWith(`/${sanitized(text(file_name))}`),
          () => `attachment ${id}: ${file_name}`,
        );
        const last = text(path_id).replace(/^.*\//, '');
        yield problem(sanitized(last) !== last || last === '', () => `attachment ${id}: ${path_id}`);
        yield problem(Number(size) >= 2 ** 31, () => `attachment ${id}: ${size}`);
      }
      yield* unique(rows('attachment'), 'path', ({path_id}) => path_id);
    },
  },
  {
    name: 'a file is listed and linked by its messages',
    *check({rows, has, records}) {
      const paths = new Set(records('uploads').map(({path}) => path));
      const messages = new Map(rows('message').map((row) => [row.id, row]));
      for (const {id, path_id, messages: linking, scheduled_messages: scheduled} of rows('attachment')) {
        yield problem(!paths.has(path_id), () => `attachment ${id}: ${path_id} is not in records.json`);
        yield problem(list(linking).length + list(scheduled).length === 0, () => `attachment ${id} without messages`);
        for (const one of list(scheduled))
          yield problem(!has('scheduledmessage', one), () => `attachment ${id}: ${one}`);
        for (const one of list(linking)) {
          const message = messages.get(one);
          yield problem(message?.has_attachment !== true, () => `attachment ${id}: message ${one}`);
          const isLinked = decodeURI(text(message?.content).replaceAll('%', '%25')).includes(text(path_id));
          yield problem(!isLinked, () => `attachment ${id}: not in message ${one}`);
        }
      }
    },
  },
  {
    name: 'files are where the lists say, below their folder',
    *check({directory, folders, records}) {
      for (const folder of folders) {
        for (const {path} of records(folder)) {
          const isOutside = isAbsolute(text(path)) || normalize(text(path)).startsWith('..');
          yield problem(isOutside, () => `${folder}: ${path}`);
          yield problem(!existsSync(join(directory, folder, text(path))), () => `${folder}: ${path} is missing`);
        }
        yield* unique(records(folder), folder, ({path}) => path);
      }
    },
  },
  {
    name: 'who has a picture has its file, and so has a custom emoji',
    *check({rows, records}) {
      const people = new Set(records('avatars').map(({user_profile_id}) => user_profile_id));
      for (const {id, avatar_source} of rows('userprofile')) {
        yield problem(avatar_source === 'U' && !people.has(id), () => `avatar of ${id}`);
      }
      const names = new Set(records('emoji').map(({file_name}) => file_name));
      for (const {name, file_name} of rows('realmemoji')) yield problem(!names.has(file_name), () => `emoji ${name}`);
    },
  },
];
