import {existsSync} from 'node:fs';
import {isAbsolute, join, normalize} from 'node:path';
import {list, problem, type Trap, text, unique} from './trap.ts';

const direct = 2048;
const knownFlags = 1 | 2 | 4 | 8 | 16 | 32 | 64 | 512 | 1024 | direct | 4096;

/** What `sanitize_name` makes of a file name. */
function sanitized(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}_\s.-]|\uFEFF/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-');
}

/** The rules about messages and files. */
export const messageTraps: readonly Trap[] = [
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
    name: 'every active user in a direct conversation has its messages, marked as direct',
    *check({rows, messageFiles, recipient, participants}) {
      const active = new Set(rows('userprofile').flatMap(({id, is_active}) => (is_active === true ? [id] : [])));
      for (const {messages, userMessages} of messageFiles) {
        const flags = new Map(
          userMessages.map((row) => [`${row.user_profile} ${row.message}`, Number(row.flags_mask)]),
        );
        const directIds = new Set<unknown>();
        for (const {id, recipient: to} of messages) {
          if (recipient(to)?.type !== 3) continue;
          directIds.add(id);
          for (const person of participants(to)) {
            if (!active.has(person)) continue;
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
