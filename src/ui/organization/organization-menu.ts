import {fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {openPicker} from '#ui/overlays/picker.ts';
import {getFolders} from '#wire/endpoints/channels.ts';
import {administrationReason, openAdministrationList} from './administration-list.ts';
import {openExportList} from './data-exports.ts';
import {openDeactivationForm} from './deactivate-organization.ts';
import {openEmojiList} from './emoji-form.ts';
import {openFolderList} from './folder-list.ts';
import {openLinkifierList} from './linkifier-form.ts';
import {openDefaultChannelList, openDomainList} from './new-user-lists.ts';
import {administratorReason, ownerReason, serverReason} from './organization-rights.ts';
import {organizationSections} from './organization-settings.ts';
import {openProfileFieldList} from './profile-field-form.ts';
import {openSettingForm} from './setting-form.ts';

/** An entry of the menu: a section of the settings, one setting, or a list of records. */
interface MenuEntry {
  readonly key: string;
  readonly label: string;
  readonly detail: string;
  readonly disabledReason?: ((frame: Frame) => string | undefined) | undefined;
  open(app: App): void;
}

/** Returns why this server has no channel folders. */
export function foldersReason(frame: Frame): string | undefined {
  return serverReason(frame, getFolders);
}

function entry(key: string, label: string, detail: string, open: (app: App) => void): MenuEntry {
  return {key, label, detail, open};
}

function listEntries(): readonly MenuEntry[] {
  return [
    entry('linkifiers', 'Linkifiers', 'texts such as #123 that become links', openLinkifierList),
    entry('domains', 'Allowed email domains', 'whose addresses can join', openDomainList),
    entry('fields', 'Custom profile fields', 'what users tell about themselves', openProfileFieldList),
    entry('emoji', 'Custom emoji', 'own pictures for messages and reactions', openEmojiList),
    {
      ...entry('folders', 'Channel folders', 'groups of channels in the sidebar', openFolderList),
      disabledReason: foldersReason,
    },
    entry('defaults', 'Default channels', 'to which new users are subscribed', openDefaultChannelList),
    {
      ...entry('exports', 'Data exports', 'to move or to keep everything', openExportList),
      disabledReason: administratorReason,
    },
    {
      ...entry('administration', 'Administration log', 'who changed what', openAdministrationList),
      disabledReason: administrationReason,
    },
    {
      ...entry('deactivate', 'Deactivate the organization…', 'logs everybody out', openDeactivationForm),
      disabledReason: ownerReason,
    },
  ];
}

function sectionEntries(): readonly MenuEntry[] {
  return organizationSections().map((section) =>
    entry(`section ${section.id}`, section.title, section.detail, (app) => openSettingForm(app, section)),
  );
}

/** Every setting by itself, for a search. */
function settingEntries(): readonly MenuEntry[] {
  return organizationSections().flatMap((section) =>
    section.settings.map(({name, label}) =>
      entry(`setting ${name}`, label, section.title, (app) => openSettingForm(app, section, name)),
    ),
  );
}

/** Opens the menu of everything about the organization. A search also finds each setting. */
export function openOrganizationMenu(app: App): void {
  const entries = [...sectionEntries(), ...listEntries(), ...settingEntries()];
  openPicker(app, {
    id: 'organization',
    title: 'Organization settings',
    placeholder: 'find a setting',
    columns: 76,
    rowsShown: 18,
    empty: 'No such setting',
    hint: {Enter: 'opens', Esc: 'close'},
    rows: (frame, query) => (query.trim() === '' ? menuRows(frame) : foundRows(frame, entries, query.trim())),
    accept: (from, {key}) => entries.find((entry) => entry.key === key)?.open(from),
  });
}

function menuRows(frame: Frame): readonly PickerRow[] {
  return [
    {key: 'title settings', label: 'Settings', isTitle: true},
    ...sectionEntries().map((entry) => entryRow(frame, entry)),
    {key: 'title lists', label: 'Lists', isTitle: true},
    ...listEntries().map((entry) => entryRow(frame, entry)),
  ];
}

function entryRow(frame: Frame, {key, label, detail, disabledReason}: MenuEntry): PickerRow {
  return {key, label, detail, disabled: disabledReason?.(frame)};
}

function foundRows(frame: Frame, entries: readonly MenuEntry[], query: string): readonly PickerRow[] {
  return entries.flatMap((entry): readonly PickerRow[] => {
    const match = fuzzyMatch(query, entry.label);
    if (match !== undefined && match.score >= matchScores.inside) {
      return [{...entryRow(frame, entry), matched: match.ranges}];
    }
    return entry.detail.toLowerCase().includes(query.toLowerCase()) && !entry.key.startsWith('setting ')
      ? [entryRow(frame, entry)]
      : [];
  });
}
