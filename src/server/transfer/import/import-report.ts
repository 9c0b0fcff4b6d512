/** What the tables of an export hold. Tables without words have nothing that a person would count. */
const tableWords: Readonly<Record<string, string>> = {
  userprofile: 'people and bots',
  userprofile_mirrordummy: 'people without an account',
  namedusergroup: 'groups',
  usergroup: 'groups',
  channelfolder: 'channel folders',
  stream: 'channels',
  subscription: 'subscriptions, and people of direct conversations',
  message: 'messages',
  usermessage: 'flags: who received which message, and read it',
  reaction: 'reactions',
  submessage: 'polls, to-do lists and answers in them',
  attachment: 'uploaded files',
  avatars: 'pictures of people',
  realm_icons: 'pictures of the organization',
  realmemoji: 'custom emoji',
  realmfilter: 'linkifiers',
  realmdomain: 'domains',
  realmplayground: 'code playgrounds',
  defaultstreamgroup: 'groups of default channels',
  customprofilefield: 'profile fields',
  customprofilefieldvalue: 'profile values',
  usertopic: 'followed, muted and unmuted topics',
  muteduser: 'muted people',
  alertword: 'alert words',
  savedsnippet: 'saved snippets',
  navigationview: 'views in sidebars',
  userstatus: 'statuses',
  scheduledmessage: 'scheduled messages and reminders',
  botstoragedata: 'values that bots stored',
};

/** Counts what an import wrote, and what it left out. */
export class ImportReport {
  readonly #imported = new Map<string, number>();
  readonly #leftOut = new Map<string, number>();
  /** Sentences about what makes the export look incomplete. */
  readonly doubts: string[] = [];
  /** The address of an owner, if none has an active account. */
  inactiveOwner: string | undefined;

  /** Counts rows of a table of the export, which is named without its prefix. */
  count(table: string, rows = 1): void {
    this.#imported.set(table, (this.#imported.get(table) ?? 0) + rows);
  }

  /** Counts something that is not imported; `what` says what it is, and why. */
  leaveOut(what: string, count = 1): void {
    if (count > 0) this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count);
  }

  /** The numbers of imported rows by what they are. */
  get imported(): ReadonlyMap<string, number> {
    const known = Object.entries(tableWords).flatMap(([table, words]): [string, number][] => {
      const count = this.#imported.get(table) ?? 0;
      return count === 0 ? [] : [[words, count]];
    });
    return new Map(known);
  }

  get leftOut(): ReadonlyMap<string, number> {
    return this.#leftOut;
  }
}

/** Where a problem of an export is: a file, and in it a table and the position of a row, counted from 1. */
export interface Place {
  readonly file: string;
  readonly table?: string;
  readonly row?: number;
}

/** The export cannot be imported. The message is one sentence that names the place. */
export class ImportError extends Error {
  override readonly name = 'ImportError';

  constructor(problem: string, place?: Place) {
    super(place === undefined ? problem : `${placeText(place)}: ${problem}`);
  }
}

function placeText({file, table, row}: Place): string {
  return [
    file,
    ...(table === undefined || table === '' ? [] : [table]),
    ...(row === undefined ? [] : [`row ${row}`]),
  ].join(', ');
}
