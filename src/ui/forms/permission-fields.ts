import type {AccountState} from '#state/state.ts';
import {type Camel, camelKey} from '#std/camel.ts';
import {type FormField, formField} from '#ui/core/form.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import {defaultGroupSetting} from './group-setting-text.ts';

/** The value of a permission that the server does not know. */
const absent: GroupSetting = 0;

/** The form values of the permissions of a channel or a group; their keys are those of the client's objects. */
export type PermissionValues<W extends string> = Record<Camel<W>, GroupSetting>;

type KnownPermissions<W extends string> = {readonly [K in Camel<W>]?: GroupSetting | undefined};

/** `besides`: who has the permission anyway. */
type PermissionText = readonly [label: string, help: string, besides?: string];

/** The permissions of channels or of groups, as a form shows them: the label and the help of each, in their order. */
export class PermissionFields<W extends string> {
  readonly #scope: 'stream' | 'group';
  readonly #texts: Readonly<Record<W, PermissionText>>;

  constructor(scope: 'stream' | 'group', texts: Readonly<Record<W, PermissionText>>) {
    this.#scope = scope;
    this.#texts = texts;
  }

  get #names(): readonly {readonly name: Camel<W>; readonly wireName: W}[] {
    // They are the keys of the texts, and of the objects that have the permissions.
    const wireNames = Object.keys(this.#texts) as W[];
    return wireNames.map((wireName) => ({name: camelKey(wireName) as Camel<W>, wireName}));
  }

  /** Returns the values of a new channel or group. */
  newValues(account: AccountState): PermissionValues<W> {
    return this.#values((name) => defaultGroupSetting(account, {scope: this.#scope, name}));
  }

  valuesOf(record: KnownPermissions<W>): PermissionValues<W> {
    return this.#values((_wireName, name) => record[name]);
  }

  #values(settingOf: (wireName: W, name: Camel<W>) => GroupSetting | undefined): PermissionValues<W> {
    const entries = this.#names.map(({name, wireName}) => [name, settingOf(wireName, name) ?? absent]);
    return Object.fromEntries(entries) as PermissionValues<W>;
  }

  /** Returns the fields of the permissions that the record has; of a new one, those that the server knows. */
  fields(
    {server}: AccountState,
    record: KnownPermissions<W> | undefined,
    disabledReason: (wireName: W) => string | undefined = () => undefined,
  ): readonly FormField[] {
    const rules = server.serverSupportedPermissionSettings?.[this.#scope];
    return this.#names.flatMap(({name, wireName}) => {
      const isKnown = record === undefined ? rules?.[wireName] !== undefined : record[name] !== undefined;
      const [label, help, besides] = this.#texts[wireName];
      const text = besides === undefined ? help : `${help.slice(0, -1)}, besides ${besides}.`;
      const setting = {scope: this.#scope, name: wireName};
      return isKnown
        ? [
            formField('groupSetting', name, label, {
              help: text,
              setting,
              isAdditional: besides !== undefined,
              disabled: disabledReason(wireName),
            }),
          ]
        : [];
    });
  }

  /** Returns the changed permissions by their names in the API. */
  changed(changes: KnownPermissions<W>): Partial<Record<W, GroupSetting>> {
    const entries = this.#names.flatMap(({name, wireName}) => {
      const value = changes[name];
      return value === undefined ? [] : [[wireName, value] as const];
    });
    return Object.fromEntries(entries) as Partial<Record<W, GroupSetting>>;
  }

  /** Returns them with their old values, so that nobody else's change is overwritten unseen. */
  changedFrom(changes: KnownPermissions<W>, before: PermissionValues<W>) {
    const [now, old] = [this.changed(changes), this.changed(before)];
    const entries = Object.entries<GroupSetting | undefined>(now).map(([name, value]) => {
      const oldValue = old[name as W];
      return [name, {new: value, ...(oldValue !== undefined && {old: oldValue})}];
    });
    return Object.fromEntries(entries) as Partial<Record<W, {new: GroupSetting; old?: GroupSetting}>>;
  }
}
