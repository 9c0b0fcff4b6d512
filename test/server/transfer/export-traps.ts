import type {Row} from './read-export.ts';
import {problem, type Trap, text, unique} from './trap.ts';

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

/** The rules about people, groups and conversations. */
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
    name: 'e-mail addresses are valid',
    *check({rows}) {
      for (const key of ['email', 'delivery_email']) {
        for (const row of rows('userprofile')) {
          yield problem(!address.test(text(row[key])), () => `user ${row.id}: ${key} ${row[key]}`);
        }
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
    name: 'recipients are channels (2) and direct conversations (3), one each',
    *check({rows, has}) {
      for (const {id, type, type_id} of rows('recipient')) {
        const target = type === 2 ? 'stream' : type === 3 ? 'huddle' : '';
        yield problem(!has(target, type_id), () => `recipient ${id}: type ${type}, id ${type_id}`);
      }
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
    name: "a topic's settings name the recipient of its channel",
    *check({rows, recipient}) {
      for (const {id, stream, recipient: of} of rows('usertopic')) {
        const known = recipient(of);
        yield problem(known?.type !== 2 || known.type_id !== stream, () => `usertopic ${id}`);
      }
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
    },
  },
  {
    name: 'profile fields for people have lists of known people',
    *check({rows, has}) {
      const fields = new Set(rows('customprofilefield').flatMap((row) => (row.field_type === 6 ? [row.id] : [])));
      for (const {id, field, value} of rows('customprofilefieldvalue')) {
        if (!fields.has(field)) continue;
        const people: unknown = /^\[[\d, ]*\]$/.test(text(value)) ? JSON.parse(text(value)) : undefined;
        const isKnown = Array.isArray(people) && people.every((person) => has('user', person));
        yield problem(!isKnown, () => `value ${id}: ${value}`);
      }
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
];
