import type {App} from '#app/core/app.ts';
import {changePickerField, openPicker} from '#app/overlays/picker.ts';
import {distinctUserName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {fuzzyMatch, type MatchRange, matchScores} from '#std/fuzzy.ts';
import type {Form, FormValue, GroupSettingFormField, IdsFormField, ValueFormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Picker, PickerRow} from '#ui/core/overlay.ts';
import {channelColor} from '#ui/format/conversation-name.ts';
import {swatchColor} from '#ui/forms/form-lines.ts';
import {entryName, formView, idsOf} from '#ui/forms/form-view.ts';
import {offeredGroups, ownGroups, settingOfMembers, settingRule, systemGroups} from '#ui/forms/permission-fields.ts';
import {findChannels} from '#ui/search/find-channels-and-topics.ts';
import {findPeople} from '#ui/search/find-people.ts';
import {personDetail} from '#ui/search/mention-and-emoji-options.ts';
import {emptyLine, insert} from '#ui/text/text-field.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import {groupLabel, groupSettingText, membersOf} from '#wording/group-names.ts';
import {setFieldValue} from './open-form.ts';

/** Opens the choices of a field, filtered by a query. */
export function openFieldPicker(app: App, form: Form, field: ValueFormField, query = ''): void {
  const {key, label} = field;
  const valueIn: ValueIn = (frame) => formView(frame, form).values[key];
  const set: SetValue = (from, value) => setFieldValue(from, form, key, value);
  const open = (own: FieldPicker) => {
    const hint = {Enter: 'chooses', Esc: 'goes back'};
    const id = `${form.id} ${key}`;
    openPicker(app, {columns: 64, id, title: label, placeholder: 'filter', hint, ...own}, insert(emptyLine, query));
  };
  if (field.kind === 'choice') open(choicePicker(form, key, valueIn, set));
  else if (field.kind === 'color') open(colorPicker(valueIn, set));
  else if (field.kind === 'groupSetting') open(settingPicker(app, field, valueIn, set));
  else if (field.kind === 'people' || field.kind === 'groups' || field.kind === 'channels')
    open(idsPicker(field, valueIn, set));
}

/** What the pickers of the kinds of fields have of their own. */
type FieldPicker = Omit<Picker, 'id' | 'title'>;
type ValueIn = (frame: Frame) => FormValue | undefined;
type SetValue = (app: App, value: FormValue) => void;

function choicePicker(form: Form, key: string, valueIn: ValueIn, set: SetValue): FieldPicker {
  const choicesOf = (frame: Frame) => {
    const row = formView(frame, form).rows.find((each) => each.key === key);
    return row?.kind === 'field' && row.field.kind === 'choice' ? row.field.choices : [];
  };
  return {
    rows: (frame, query) =>
      choicesOf(frame).flatMap(({label, detail, disabled}, at) =>
        matching(query, label).map((matched): PickerRow => ({key: String(at), label, detail, disabled, matched})),
      ),
    startAt: (frame, query, rows) => {
      const current = choicesOf(frame).findIndex((choice) => choice.value === valueIn(frame));
      return query === '' ? rows.findIndex((row) => row.key === String(current)) : 0;
    },
    accept: (app, row) => {
      const choice = choicesOf(app.frame)[Number(row.key)];
      app.closeOverlay();
      if (choice !== undefined) set(app, choice.value);
    },
  };
}

/** The colours that Zulip's own clients offer for channels. */
const swatches = [
  ...['#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5'],
  ...['#f5ce6e', '#c2726a', '#94c849', '#bd86e5', '#ee7e4a', '#a6dcbf', '#95a5fd', '#53a063'],
  ...['#9987e1', '#e4523d', '#c2c2c2', '#4f8de4', '#c6a8ad', '#e7cc4d', '#c8bebf', '#a47462'],
] as const;

function colorPicker(valueIn: ValueIn, set: SetValue): FieldPicker {
  return {
    rows: ({display}, query) =>
      swatches
        .filter((color) => color.includes(query.trim().toLowerCase()))
        .map((color): PickerRow => ({key: color, label: color, swatch: swatchColor(display.depth, color)})),
    startAt: (frame, _query, rows) => rows.findIndex((row) => row.key === valueIn(frame)),
    accept: (app, row) => {
      app.closeOverlay();
      set(app, row.key);
    },
  };
}

/** Picks several users, groups or channels: Enter adds or removes one. The chosen ones come first. */
function idsPicker(field: IdsFormField, valueIn: ValueIn, set: SetValue): FieldPicker {
  const {kind, isSingle = false, hasSystemGroups = false, isOffered = () => true} = field;
  return {
    placeholder: {people: 'name or email', groups: 'group', channels: 'channel'}[kind],
    hint: {Enter: `${isSingle ? 'chooses' : 'adds'} or removes`, Esc: 'goes back'},
    rowsShown: 12,
    rows: (frame, query) => {
      const chosen = idsOf(valueIn(frame));
      const found = candidates(frame, kind, query.trim(), hasSystemGroups).filter(({id}) => isOffered(id, frame));
      const isShown = new Set(found.map(({id}) => id));
      const before = query.trim() === '' ? chosen.filter((id) => !isShown.has(id)) : [];
      return [...before.map((id): Candidate => ({id})), ...found].map(({id, ...more}) =>
        markedRow(String(id), entryName(frame.account, kind, id), chosen.includes(id), more),
      );
    },
    accept: (app, row) => {
      const id = Number(row.key);
      const chosen = idsOf(valueIn(app.frame));
      const others = isSingle ? [] : chosen.filter((one) => one !== id);
      if (isSingle) app.closeOverlay();
      else changePickerField(app, () => emptyLine);
      set(app, chosen.includes(id) ? others : [...others, id]);
    },
  };
}

/**
 * Picks who has a permission: Enter chooses a group or user, Tab adds or removes several. Enter drops nothing that was chosen
 * by name: a role takes the place of another one, and what is named takes the place of a role only.
 */
function settingPicker(app: App, field: GroupSettingFormField, valueIn: ValueIn, set: SetValue): FieldPicker {
  const isSingle = settingRule(app.state, field.setting)?.require_system_group === true;
  return {
    placeholder: isSingle ? 'group' : 'group, name or email',
    hint: {Enter: 'chooses', ...(!isSingle && {Tab: 'adds or removes'}), Esc: 'goes back'},
    rowsShown: 12,
    rows: (frame, query) => settingRows(frame, field, valueIn(frame), query.trim()),
    accept: (from, row, how) => {
      const isAdded = how === 'tab' && !isSingle;
      const value = settingWith(from.state, field, membersOf(valueIn(from.frame)), row.key, isAdded);
      if (value === undefined) {
        from.toast('Choose at least one group or person', 'warning');
        return;
      }
      if (!isAdded) from.closeOverlay();
      set(from, value);
      if (isAdded) changePickerField(from, () => emptyLine);
    },
  };
}

function settingRows(
  frame: Frame,
  field: GroupSettingFormField,
  value: FormValue | undefined,
  query: string,
): readonly PickerRow[] {
  const {account} = frame;
  const {groupIds, userIds} = membersOf(value);
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

/** Returns the setting with the group or user of a row; `isAdded`: added or removed, instead of chosen. */
function settingWith(
  account: AccountState,
  field: GroupSettingFormField,
  {groupIds, userIds}: ReturnType<typeof membersOf>,
  key: string,
  isAdded: boolean,
): GroupSetting | undefined {
  const isGroup = key.startsWith('group ');
  const id = Number(key.slice(key.indexOf(' ')));
  const isRole = (groupId: number) => account.groups.get(groupId)?.isSystemGroup === true;
  const isNobody = isGroup && groupLabel(account, id) === groupSettingText(account, undefined);
  const isNamed = userIds.length > 0 || groupIds.some((one) => !isRole(one));
  const replacesRoles = !isAdded && ((isGroup && isRole(id)) || !isNamed);
  const kept = replacesRoles ? groupIds.filter((one) => one === id || !isRole(one)) : groupIds;
  const changed = (ids: readonly number[]) => {
    if (!ids.includes(id)) return [...ids, id];
    return isAdded ? ids.filter((one) => one !== id) : ids;
  };
  const members = isNobody
    ? {groupIds: [], userIds: []}
    : {groupIds: isGroup ? changed(kept) : kept, userIds: isGroup ? userIds : changed(userIds)};
  return settingOfMembers(account, field, members);
}

/** A row with a mark that says whether the entry is chosen. */
function markedRow(key: string, label: string, isChosen: boolean, more: Partial<PickerRow> = {}): PickerRow {
  const mark = isChosen ? '[x] ' : '[ ] ';
  const marked = composed`${mark}${label}`;
  const at = marked.indexOf(label);
  const matched = more.matched?.map(([start, end]) => [start + at, end + at] as const);
  return {key, label: marked, ...more, matched};
}

/** An entry that can be chosen. */
type Candidate = {readonly id: number} & Pick<PickerRow, 'matched' | 'detail' | 'tint'>;

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
