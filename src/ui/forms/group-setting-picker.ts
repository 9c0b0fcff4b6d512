import {distinctUserName} from '#state/selectors/names/names.ts';
import type {App} from '#ui/core/app.ts';
import type {Form, GroupSettingFormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Acceptance, PickerRow} from '#ui/core/overlay.ts';
import {changePickerField, openPicker} from '#ui/overlays/picker.ts';
import {emptyLine, type TextField} from '#ui/text/text-field.ts';
import {type Candidate, candidates, fieldPickerColumns, markedRow, matching} from './candidate-rows.ts';
import {formView} from './form-view.ts';
import {groupLabel, membersOf, offeredGroups, settingRule} from './group-setting-text.ts';
import {setFieldValue} from './open-form.ts';
import {settingOfMembers} from './setting-members.ts';

/** Picks who has a permission: Enter chooses one group or user, Tab adds to the chosen ones or removes from them. */
export function openGroupSettingPicker(app: App, form: Form, field: GroupSettingFormField, typed: TextField): void {
  const isSingle = settingRule(app.state, field.setting)?.require_system_group === true;
  openPicker(
    app,
    {
      columns: fieldPickerColumns,
      id: `${form.id} ${field.key}`,
      title: field.label,
      placeholder: isSingle ? 'group' : 'group, name or email',
      hint: isSingle ? 'Enter chooses · Esc back' : 'Enter sets · Tab adds · Esc back',
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
  const toggled = (ids: readonly number[]) => (ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]);
  const isGroup = kind === 'group';
  const members =
    how === 'tab'
      ? {groupIds: isGroup ? toggled(groupIds) : groupIds, userIds: isGroup ? userIds : toggled(userIds)}
      : {groupIds: isGroup ? [id] : [], userIds: isGroup ? [] : [id]};
  const value = settingOfMembers(app.state, field, members);
  if (value === undefined) {
    app.toast('Choose at least one group or person', 'warning');
    return;
  }
  if (how !== 'tab') app.closeOverlay();
  setFieldValue(app, form, field.key, value);
  if (how === 'tab') changePickerField(app, () => emptyLine);
}
