import type {GroupSetting} from '#wire/objects/group-setting.ts';

/** A group without a name: the value of a setting that is made of people and groups. */
interface UnnamedGroup {
  readonly id: number;
  readonly members: readonly number[];
  readonly subgroups: readonly number[];
}

/** Turns values of permission settings into ids of groups. */
export class ExportedGroups {
  readonly unnamed: UnnamedGroup[] = [];
  #nextId: number;

  /** Groups without a name get ids from `nextId` on. */
  constructor(nextId: number) {
    this.#nextId = nextId;
  }

  idOf(setting: GroupSetting): number {
    if (typeof setting === 'number') return setting;
    const id = this.#nextId++;
    this.unnamed.push({id, members: setting.direct_members, subgroups: setting.direct_subgroups});
    return id;
  }

  /** Returns the permissions with a group id as the value of each. */
  idsOf(permissions: Readonly<Record<string, GroupSetting>>): Record<string, number> {
    return Object.fromEntries(Object.entries(permissions).map(([name, setting]) => [name, this.idOf(setting)]));
  }
}
