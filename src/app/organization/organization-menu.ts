import type {App} from '#app/core/app.ts';
import {matching} from '#app/forms/field-pickers.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {undoOffer} from '#app/requests/server-request.ts';
import {type RealmChange, updateOrganization} from '#state/actions/administration.ts';
import {unknownAccountReason} from '#state/selectors/permissions/permission.ts';
import type {Realm} from '#state/slices/realm.ts';
import {camelKey} from '#std/camel.ts';
import {type FormChoice, type FormField, type FormValue, type FormValues, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {updateRealm as endpoint} from '#wire/endpoints/organization.ts';
import {isApiFailure} from '#wire/failure.ts';
import {type GroupSetting, groupSetting} from '#wire/objects/group.ts';
import {videoProviders} from '#wire/objects/organization.ts';
import {decode} from '#wire/schema.ts';
import {sinceProblem} from '#wire/server-features.ts';
import {openDeactivationForm} from './data-exports.ts';
import {organizationLists} from './organization-lists.ts';
import {administratorReason, ownerReason} from './organization-rights.ts';
import {
  type OrganizationSetting,
  organizationSections,
  type PeriodSetting,
  type SettingSection,
} from './organization-settings.ts';

/** An entry of the menu: a section of the settings, one setting, or a list of records. */
interface MenuEntry {
  readonly key: string;
  readonly label: string;
  readonly detail: string;
  readonly disabledReason?: ((frame: Frame) => string | undefined) | undefined;
  open(app: App): void;
}

function entry(
  key: string,
  label: string,
  detail: string,
  open: (app: App) => void,
  disabledReason?: MenuEntry['disabledReason'],
): MenuEntry {
  return {key, label, detail, open, disabledReason};
}

function listEntries(): readonly MenuEntry[] {
  return [
    ...organizationLists.map(({id, title, detail, open, disabledReason}) =>
      entry(id, title, detail, open, disabledReason),
    ),
    entry('deactivate', 'Deactivate the organization…', 'logs everybody out', openDeactivationForm, ownerReason),
  ];
}

/** Opens the menu of everything about the organization. A search also finds each setting. */
export function openOrganizationMenu(app: App): void {
  const all = organizationSections();
  const sections = all.map((section) =>
    entry(`section ${section.id}`, section.title, section.detail, (from) => openSettingForm(from, section)),
  );
  const settings = all.flatMap((section) =>
    section.settings.map(({name, label}) =>
      entry(`setting ${name}`, label, section.title, (from) => openSettingForm(from, section, name)),
    ),
  );
  const lists = listEntries();
  const entries = [...sections, ...lists, ...settings];
  openPicker(app, {
    id: 'organization',
    title: 'Organization settings',
    placeholder: 'find a setting',
    columns: 76,
    rowsShown: 18,
    empty: 'No such setting',
    hint: {Enter: 'opens', Esc: 'closes'},
    rows: (frame, query) =>
      query.trim() === ''
        ? [
            {key: 'title settings', label: 'Settings', isTitle: true},
            ...sections.map((one) => entryRow(frame, one)),
            {key: 'title lists', label: 'Lists', isTitle: true},
            ...lists.map((one) => entryRow(frame, one)),
          ]
        : foundRows(frame, entries, query.trim()),
    accept: (from, {key}) => entries.find((entry) => entry.key === key)?.open(from),
  });
}

function entryRow(frame: Frame, {key, label, detail, disabledReason}: MenuEntry): PickerRow {
  const refusal = disabledReason?.(frame);
  const disabled = refusal === undefined ? undefined : (unknownAccountReason(frame.account) ?? refusal);
  return {key, label, detail, disabled};
}

function foundRows(frame: Frame, entries: readonly MenuEntry[], query: string): readonly PickerRow[] {
  return entries.flatMap((entry): readonly PickerRow[] => {
    const [matched] = matching(query, entry.label);
    if (matched !== undefined) return [{...entryRow(frame, entry), matched}];
    return entry.detail.toLowerCase().includes(query.toLowerCase()) && !entry.key.startsWith('setting ')
      ? [entryRow(frame, entry)]
      : [];
  });
}

/** Opens the form for a section of the organization's settings, with the focus on a setting if it is named. */
export function openSettingForm(app: App, section: SettingSection, focus?: string): void {
  const {id, title, settings, actions} = section;
  openForm(
    app,
    {
      id: `organization ${id}`,
      title,
      initial: ({account}) =>
        Object.assign({}, ...settings.map((setting) => settingFormValues(account.realm, setting))),
      fields: (frame, values) => settings.flatMap((setting) => settingFields(frame, setting, values)),
      actions: (frame) => actions?.(frame) ?? [],
      errorField: (error) => fieldNamedIn(settings, error),
      save: async (from, changes, values, before) => {
        const {context} = from.session;
        const changed = settings.filter(
          ({name}) => Object.hasOwn(changes, name) || Object.hasOwn(changes, periodKey(name)),
        );
        await updateOrganization(context, realmChangeOf(changed, values, before));
        return undoOffer(from, {
          label: `Changed settings: ${title.toLowerCase()}`,
          undo: () => updateOrganization(context, realmChangeOf(changed, before, values)),
          undoneText: `Restored settings: ${title.toLowerCase()}`,
          failureText: 'The settings were not restored',
        });
      },
    },
    focus,
  );
}

/** The texts of the server name the setting that they refuse. */
function fieldNamedIn(settings: readonly OrganizationSetting[], error: unknown): string | undefined {
  if (!isApiFailure(error)) return undefined;
  const body = error.kind === 'permanent' ? error.body : undefined;
  const named = [body?.field_name, body?.setting_name, body?.var_name];
  const found = settings.find(({name}) => named.includes(name) || error.message.includes(name));
  if (found !== undefined) return found.name;
  return settings.find(({label}) => error.message.toLowerCase().includes(`${label.toLowerCase()} `))?.name;
}

/** Returns the fields of a setting; none if this server does not have it any more. */
function settingFields(frame: Frame, setting: OrganizationSetting, values: FormValues): readonly FormField[] {
  const {name, label, help} = setting;
  if (realmValue(frame.account.realm, setting) === undefined) return missingFields(frame, setting);
  const disabled = setting.isForOwners === true ? ownerReason(frame) : administratorReason(frame);
  const base = {key: name, label, help, disabled};
  switch (setting.kind) {
    case 'text': {
      const {isRequired, isMultiline, maxLength, placeholder, problem} = setting;
      if (name === 'jitsi_server_url' && values.video_chat_provider !== videoProviders.jitsi) return [];
      const validate = (text: string) => problem?.(text);
      return [{...base, kind: 'text', isRequired, isMultiline, maxLength, placeholder, validate}];
    }
    case 'switch':
      return [{...base, kind: 'switch', ...domainsReason(frame, name, disabled)}];
    case 'choice':
      return [{...base, kind: 'choice', choices: setting.choices}];
    case 'number':
      return [{...base, kind: 'number', unit: setting.unit, min: 0, max: setting.max}];
    case 'channel':
      return [channelField(setting, base)];
    case 'videoProvider':
      return [{...base, kind: 'choice', choices: providerChoices(frame)}];
    case 'group':
      return [{...base, kind: 'groupSetting', setting: {scope: 'realm', name}}];
    case 'period':
      return periodFields(setting, base, values);
  }
}

/** Below the level that introduced a setting, it is shown with the release that it needs. */
function missingFields({account}: Frame, {name, label, help}: OrganizationSetting): readonly FormField[] {
  const disabled = sinceProblem(account.server.level, endpoint.params[name]);
  return disabled === undefined
    ? []
    : [formField('text', `${name} missing`, label, {help, placeholder: 'not on this server', disabled})];
}

/** Without an allowed domain, nobody could join. */
function domainsReason({account}: Frame, name: string, disabled: string | undefined) {
  if (name !== 'emails_restricted_to_domains' || account.domains.length > 0) return {};
  if (account.realm.emailsRestrictedToDomains === true) return {};
  return {disabled: disabled ?? 'Add an allowed email domain first'};
}

type FieldBase = Pick<FormField & {kind: 'text'}, 'key' | 'label' | 'help' | 'disabled'>;

function channelField({isPrivate}: OrganizationSetting & {kind: 'channel'}, base: FieldBase): FormField {
  return {
    ...base,
    kind: 'channels',
    isSingle: true,
    emptyText: 'off',
    isOffered: (id, {account}) => {
      const channel = account.channels.get(id);
      return channel !== undefined && channel.isArchived !== true && (isPrivate !== true || channel.isPrivate);
    },
  };
}

function providerChoices({account}: Frame): readonly FormChoice[] {
  const {availableVideoChatProviders: available = {}, videoChatProvider: current} = account.realm;
  const choices = Object.values(available).map(({id, name}) => ({value: id, label: name}));
  const isKnown = current === undefined || choices.some(({value}) => value === current);
  return isKnown ? choices : [...choices, {value: current, label: 'Another service'}];
}

function periodFields(
  {name, label, presets, unit}: PeriodSetting,
  base: FieldBase,
  values: FormValues,
): readonly FormField[] {
  const choices: readonly FormChoice[] = [
    ...presets.map(([value, text]) => ({value, label: text})),
    {value: otherPeriod, label: unit === 'days' ? 'For some days' : 'Other'},
  ];
  return [
    {...base, kind: 'choice', choices},
    ...(values[name] === otherPeriod
      ? ([{...base, kind: 'number', key: periodKey(name), label: `${label}, ${unit}`, unit, min: 1}] as const)
      : []),
  ];
}

/** The choice of a period that is none of the presets. */
const otherPeriod = 'other';

/** The key of the field for a period that is none of the presets. */
function periodKey(name: string): string {
  return `${name} amount`;
}

/** Returns the value that the organization has; undefined if the server does not have the setting. */
function realmValue(realm: Realm, {name}: OrganizationSetting): unknown {
  return Reflect.get(realm, camelKey(name));
}

/** Returns the values of the form's fields for a setting. */
function settingFormValues(realm: Realm, setting: OrganizationSetting): FormValues {
  const value = realmValue(realm, setting);
  const {name} = setting;
  switch (setting.kind) {
    case 'period':
      return periodFormValues(setting, value);
    case 'channel':
      return {[name]: typeof value === 'number' && value >= 0 ? [value] : []};
    case 'switch':
      return {[name]: setting.isInverted === true ? value !== true : value === true};
    case 'group':
      return {[name]: decoded(value) ?? ''};
    case 'text':
      return {[name]: typeof value === 'string' ? value : ''};
    default:
      return {[name]: typeof value === 'number' || typeof value === 'string' ? value : null};
  }
}

function decoded(value: unknown): GroupSetting | undefined {
  const result = decode(groupSetting, value);
  return result.ok ? result.value : undefined;
}

function periodFormValues({name, presets, unitSize}: PeriodSetting, value: unknown): FormValues {
  // The first preset is the one without a limit.
  const preset = value === null ? presets[0] : presets.find(([one]) => one === value);
  const amount = typeof value === 'number' && value > 0 ? Math.ceil(value / unitSize) : unitSize === 1 ? 365 : 30;
  return {[name]: preset === undefined ? otherPeriod : preset[0], [periodKey(name)]: amount};
}

/** Returns the request that gives the settings these values. Permissions name their old value, so that none is overwritten unseen. */
function realmChangeOf(settings: readonly OrganizationSetting[], values: FormValues, before: FormValues): RealmChange {
  return Object.fromEntries(settings.map((setting) => [setting.name, requestValue(setting, values, before)]));
}

function requestValue(setting: OrganizationSetting, values: FormValues, before: FormValues): unknown {
  const {name} = setting;
  const value: FormValue | undefined = values[name];
  switch (setting.kind) {
    case 'period': {
      if (value === otherPeriod) return Number(values[periodKey(name)]) * setting.unitSize;
      return typeof value === 'number' && value > 0 ? value : 'unlimited';
    }
    case 'channel':
      return Array.isArray(value) ? (value[0] ?? -1) : -1;
    case 'switch':
      return setting.isInverted === true ? value !== true : value;
    case 'group':
      return {new: value, old: before[name]};
    default:
      // The Jitsi server is the only setting with a default of the server.
      return name === 'jitsi_server_url' && value === '' ? 'default' : value;
  }
}
