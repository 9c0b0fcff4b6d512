import {distinctUserName} from '#state/selectors/names/names.ts';
import {fuzzyMatch, type MatchRange, matchScores} from '#std/fuzzy.ts';
import {findChannels} from '#ui/completion-menu/find-channels-and-topics.ts';
import {findPeople} from '#ui/completion-menu/find-people.ts';
import {personDetail} from '#ui/completion-menu/mention-and-emoji-options.ts';
import type {App} from '#ui/core/app.ts';
import type {Form, GroupSettingFormField, IdsFormField, ValueFormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Acceptance, PickerRow} from '#ui/core/overlay.ts';
import {channelColor} from '#ui/format/conversation-name.ts';
import {changePickerField, openPicker} from '#ui/overlays/picker.ts';
import {emptyLine, insert, type TextField} from '#ui/text/text-field.ts';
import {swatchColor} from './form-lines.ts';
import {entryName, formView, idsOf} from './form-view.ts';
import {
  groupLabel,
  groupSettingText,
  membersOf,
  offeredGroups,
  ownGroups,
  settingOfMembers,
  settingRule,
  systemGroups,
} from './group-setting-text.ts';
import {setFieldValue} from './open-form.ts';

/** Opens the choices of a field, filtered by a query. */
export function openFieldPicker(app: App, form: Form, field: ValueFormField, query = ''): void {
  const typed = insert(emptyLine, query);
  switch (field.kind) {
    case 'choice':
      openChoicePicker(app, form, field.key, typed);
      return;
    case 'color':
      openColorPicker(app, form, field.key);
      return;
    case 'people':
    case 'groups':
    case 'channels':
      openIdsPicker(app, form, field, typed);
      return;
    case 'groupSetting':
      openGroupSettingPicker(app, form, field, typed);
      return;
    default:
  }
}

function openChoicePicker(app: App, form: Form, key: string, typed: TextField): void {
  const choicesOf = (frame: Frame) => {
    const row = formView(frame, form).rows.find((each) => each.key === key);
    return row?.kind === 'field' && row.field.kind === 'choice' ? row.field.choices : [];
  };
  const label = fieldLabel(app.frame, form, key);
  openPicker(
    app,
    {
      columns: fieldPickerColumns,
      id: `${form.id} ${key}`,
      title: label,
      placeholder: 'filter',
      hint: {Enter: 'chooses', Esc: 'back'},
      rows: (frame, query) =>
        choicesOf(frame).flatMap(({label: text, detail, disabled}, at) =>
          matching(query, text).map(
            (matched): PickerRow => ({key: String(at), label: text, detail, disabled, matched}),
          ),
        ),
      startAt: (frame, query, rows) => {
        const value = formView(frame, form).values[key];
        const current = choicesOf(frame).findIndex((choice) => choice.value === value);
        return query === '' ? rows.findIndex((row) => row.key === String(current)) : 0;
      },
      accept: (from, row) => {
        const choice = choicesOf(from.frame)[Number(row.key)];
        from.closeOverlay();
        if (choice !== undefined) setFieldValue(from, form, key, choice.value);
      },
    },
    typed,
  );
}

function fieldLabel(frame: Frame, form: Form, key: string): string {
  const row = formView(frame, form).rows.find((each) => each.key === key);
  return row?.kind === 'field' ? row.field.label : form.title;
}

/** The colours that Zulip's own clients offer for channels. */
const swatches = [
  ...['#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5'],
  ...['#f5ce6e', '#c2726a', '#94c849', '#bd86e5', '#ee7e4a', '#a6dcbf', '#95a5fd', '#53a063'],
  ...['#9987e1', '#e4523d', '#c2c2c2', '#4f8de4', '#c6a8ad', '#e7cc4d', '#c8bebf', '#a47462'],
] as const;

function openColorPicker(app: App, form: Form, key: string): void {
  openPicker(app, {
    columns: fieldPickerColumns,
    id: `${form.id} ${key}`,
    title: fieldLabel(app.frame, form, key),
    placeholder: 'filter',
    hint: {Enter: 'chooses', Esc: 'back'},
    rows: ({display}, query) =>
      swatches
        .filter((color) => color.includes(query.trim().toLowerCase()))
        .map((color): PickerRow => ({key: color, label: color, swatch: swatchColor(display.depth, color)})),
    startAt: (frame, _query, rows) => {
      const value = formView(frame, form).values[key];
      return rows.findIndex((row) => row.key === value);
    },
    accept: (from, row) => {
      from.closeOverlay();
      setFieldValue(from, form, key, row.key);
    },
  });
}

/** Picks several users, groups or channels: Enter adds or removes one. The chosen ones come first. */
function openIdsPicker(app: App, form: Form, field: IdsFormField, typed: TextField): void {
  const {key, kind, isSingle = false, hasSystemGroups = false, isOffered = () => true} = field;
  const chosenIn = (frame: Frame) => idsOf(formView(frame, form).values[key]);
  openPicker(
    app,
    {
      columns: fieldPickerColumns,
      id: `${form.id} ${key}`,
      title: field.label,
      placeholder: {people: 'name or email', groups: 'group', channels: 'channel'}[kind],
      hint: {Enter: `${isSingle ? 'chooses' : 'adds'} or removes`, Esc: 'back'},
      rowsShown: 12,
      rows: (frame, query) => {
        const chosen = chosenIn(frame);
        const found = candidates(frame, kind, query.trim(), hasSystemGroups).filter(({id}) => isOffered(id, frame));
        const isShown = new Set(found.map(({id}) => id));
        const before = query.trim() === '' ? chosen.filter((id) => !isShown.has(id)) : [];
        return [
          ...before.map((id) => markedRow(String(id), entryName(frame.account, kind, id), true)),
          ...found.map(({id, ...more}) =>
            markedRow(String(id), entryName(frame.account, kind, id), chosen.includes(id), more),
          ),
        ];
      },
      accept: (from, row) => {
        const id = Number(row.key);
        const chosen = chosenIn(from.frame);
        const others = isSingle ? [] : chosen.filter((one) => one !== id);
        if (isSingle) from.closeOverlay();
        else changePickerField(from, () => emptyLine);
        setFieldValue(from, form, key, chosen.includes(id) ? others : [...others, id]);
      },
    },
    typed,
  );
}

/**
 * Picks who has a permission: Enter chooses a group or user, Tab adds or removes several. Enter drops nothing that was chosen
 * by name: a role takes the place of another one, and what is named takes the place of a role only.
 */
function openGroupSettingPicker(app: App, form: Form, field: GroupSettingFormField, typed: TextField): void {
  const isSingle = settingRule(app.state, field.setting)?.require_system_group === true;
  openPicker(
    app,
    {
      columns: fieldPickerColumns,
      id: `${form.id} ${field.key}`,
      title: field.label,
      placeholder: isSingle ? 'group' : 'group, name or email',
      hint: isSingle ? {Enter: 'chooses', Esc: 'back'} : {Enter: 'chooses', Tab: 'adds or removes', Esc: 'back'},
      rowsShown: 12,
      rows: (frame, query) => settingRows(frame, form, field, query.trim()),
      accept: (from, row, how) => acceptMember(from, form, field, row, isSingle ? 'enter' : how),
    },
    typed,
  );
}

function settingRows(frame: Frame, form: Form, field: GroupSettingFormField, query: string): readonly PickerRow[] {
  const {account} = frame;
  const {groupIds, userIds} = membersOf(formView(frame, form).values[field.key]);
  const groups = offeredGroups(account, field.setting).flatMap(({id, description, isSystemGroup}) =>
    matching(query, groupLabel(account, id)).map((matched) => {
      const detail = isSystemGroup ? undefined : description;
      return markedRow(`group ${id}`, groupLabel(account, id), groupIds.includes(id), {matched, detail});
    }),
  );
  const isSingle = settingRule(account, field.setting)?.require_system_group === true;
  const found = isSingle || query === '' ? [] : candidates(frame, 'people', query);
  const chosen = query === '' ? userIds.map((id): Candidate => ({id})) : [];
  const people = [...chosen, ...found].map(({id, ...more}) =>
    markedRow(`user ${id}`, distinctUserName(account, id), userIds.includes(id), more),
  );
  return [...(query === '' ? people : []), ...groups, ...(query === '' ? [] : people)];
}

function acceptMember(app: App, form: Form, field: GroupSettingFormField, row: PickerRow, how: Acceptance): void {
  const [kind, idText] = row.key.split(' ');
  const id = Number(idText);
  const {groupIds, userIds} = membersOf(formView(app.frame, form).values[field.key]);
  const isGroup = kind === 'group';
  const isRole = (groupId: number) => app.state.groups.get(groupId)?.isSystemGroup === true;
  const isNobody = isGroup && groupLabel(app.state, id) === groupSettingText(app.state, undefined);
  const isNamed = userIds.length > 0 || groupIds.some((one) => !isRole(one));
  const replacesRoles = how !== 'tab' && ((isGroup && isRole(id)) || !isNamed);
  const kept = replacesRoles ? groupIds.filter((one) => one === id || !isRole(one)) : groupIds;
  const changed = (ids: readonly number[]) => {
    if (!ids.includes(id)) return [...ids, id];
    return how === 'tab' ? ids.filter((one) => one !== id) : ids;
  };
  const members = isNobody
    ? {groupIds: [], userIds: []}
    : {groupIds: isGroup ? changed(kept) : kept, userIds: isGroup ? userIds : changed(userIds)};
  const value = settingOfMembers(app.state, field, members);
  if (value === undefined) {
    app.toast('Choose at least one group or person', 'warning');
    return;
  }
  if (how !== 'tab') app.closeOverlay();
  setFieldValue(app, form, field.key, value);
  if (how === 'tab') changePickerField(app, () => emptyLine);
}

/** The width of the pickers that choose the value of a field. */
const fieldPickerColumns = 64;

/** A row with a mark that says whether the entry is chosen. */
function markedRow(key: string, label: string, isChosen: boolean, more: Partial<PickerRow> = {}): PickerRow {
  const mark = isChosen ? '[x] ' : '[ ] ';
  const matched = more.matched?.map(([start, end]) => [start + mark.length, end + mark.length] as const);
  return {key, label: `${mark}${label}`, ...more, matched};
}

/** An entry that can be chosen. */
interface Candidate {
  readonly id: number;
  readonly matched?: readonly MatchRange[] | undefined;
  readonly detail?: string | undefined;
  readonly tint?: string | undefined;
}

/** Returns the entries that match a query, the best first. */
function candidates(
  {account}: Frame,
  kind: IdsFormField['kind'],
  query: string,
  hasSystemGroups = false,
): readonly Candidate[] {
  switch (kind) {
    case 'people':
      return findPeople(account, {query, conversation: undefined}).map(({user, ranges}) => {
        return {id: user.id, matched: ranges, detail: personDetail(account, user, false)};
      });
    case 'channels':
      return findChannels(account, query).map(({channel: {id}, ranges}) => {
        // Behind the `#` of the name.
        const matched = ranges.map(([start, end]) => [start + 1, end + 1] as const);
        return {id, matched, tint: channelColor(account, id)};
      });
    default:
      return [...(hasSystemGroups ? systemGroups(account) : []), ...ownGroups(account)].flatMap(
        ({id, description, isSystemGroup}) =>
          matching(query, groupLabel(account, id)).map((matched) => {
            return {id, matched, detail: isSystemGroup ? undefined : description};
          }),
      );
  }
}

/** Returns the ranges of the label that match, as the only item of a list; an empty list if it does not match. */
export function matching(query: string, label: string): readonly (readonly MatchRange[])[] {
  if (query.trim() === '') return [[]];
  const match = fuzzyMatch(query.trim(), label);
  return match === undefined || match.score < matchScores.inside ? [] : [match.ranges];
}
