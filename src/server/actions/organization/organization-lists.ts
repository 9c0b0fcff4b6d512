import type {LinkifierDefinition} from '#content/linkifier.ts';
import {blankText, type LinkifierProblem, linkifierProblem, templateVariables} from '#content/linkifier-validation.ts';
import {emitUserUpdate} from '#server/actions/events/user-events.ts';
import {forbiddenInNames} from '#server/actions/inputs.ts';
import type {ActionContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {
  type DomainRow,
  findDomain,
  findProfileField,
  type LinkifierRow,
  linkifierRows,
  listDomains,
  listProfileFields,
  nextPosition,
  type ProfileFieldRow,
  storeOrder,
} from '#server/db/organization-items.ts';
import {reloadUser} from '#server/db/users.ts';
import {badRequest, required} from '#server/errors.ts';
import {compiledLinkifiers} from '#server/markdown-renderer.ts';
import {checkedFieldData, externalAccount} from '#server/organization/profile-field-data.ts';
import {organization, storeOrganizationSetting} from '#server/permissions/has-permission.ts';
import {type Route, route} from '#server/route.ts';
import {domainView, linkifierViews, profileFieldViews} from '#server/views/organization-items.ts';
import {domainProblem} from '#std/domain-name.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {WirePlayground} from '#wire/objects/organization.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

export const organizationListRoutes: readonly Route[] = [
  route(endpoints.getDomains, 'account', ({db}) => ({domains: listDomains(db).map(domainView)})),
  route(endpoints.addDomain, 'owner', (call, params) => {
    const domain = params.domain.trim().toLowerCase();
    const problem = domainProblem(domain);
    if (problem !== undefined) throw badRequest(`Invalid domain: ${problem}`);
    if (findDomain(call.db, domain) !== undefined) {
      throw badRequest(`The domain ${domain} is already a part of your organization.`);
    }
    const row = {domain, allow_subdomains: Number(params.allow_subdomains)};
    const id = call.db.insertRow('realm_domain', row);
    call.emit('realm_domains', 'everyone', {op: 'add', realm_domain: domainView({id, ...row})});
    return {new_domain: [id, domain] satisfies [number, string]};
  }),
  route(endpoints.updateDomain, 'owner', (call, params) => {
    const row = {...requireDomain(call, params.domain), allow_subdomains: Number(params.allow_subdomains)};
    call.db.run('UPDATE realm_domain SET allow_subdomains = ? WHERE id = ?', row.allow_subdomains, row.id);
    call.emit('realm_domains', 'everyone', {op: 'change', realm_domain: domainView(row)});
  }),
  // With the last domain, the restriction of addresses to domains is turned off, as no address could comply.
  route(endpoints.removeDomain, 'owner', (call, params) => {
    const {id, domain} = requireDomain(call, params.domain);
    call.db.run('DELETE FROM realm_domain WHERE id = ?', id);
    if (listDomains(call.db).length === 0 && organization(call).emails_restricted_to_domains) {
      storeOrganizationSetting(call, 'emails_restricted_to_domains', false);
      call.emit('realm', 'everyone', {op: 'update', property: 'emails_restricted_to_domains', value: false});
    }
    call.emit('realm_domains', 'everyone', {op: 'remove', domain});
  }),

  route(otherEndpoints.addPlayground, 'admin', (call, input) => {
    const playground: NewPlayground = {
      name: input.name.trim(),
      pygments_language: input.pygments_language.trim(),
      url_template: input.url_template.trim(),
    };
    const [wrong] = /[^a-zA-Z0-9_+\-./#]/u.exec(playground.pygments_language) ?? [];
    if (wrong !== undefined) throw badRequest(`Invalid character in language: ${wrong}`);
    const found = problems(call, playground);
    const [problem] = found;
    if (problem !== undefined) throw badRequest(problem[1], {errors: errorsOf(found)});
    const id = call.db.insertRow('playground', playground);
    emitPlaygrounds(call);
    return {id};
  }),
  route(otherEndpoints.removePlayground, 'admin', (call, {playground_id: id}) => {
    if (call.db.run('DELETE FROM playground WHERE id = ?', id) === 0) throw badRequest('Invalid playground');
    emitPlaygrounds(call);
  }),

  route(endpoints.getLinkifiers, 'account', ({server}) => ({linkifiers: linkifierViews(server)})),
  route(endpoints.addLinkifier, 'admin', (call, params) => ({id: addLinkifier(call, params)})),
  route(endpoints.updateLinkifier, 'admin', (call, {filter_id: id, ...input}) => {
    const definition = checkedDefinition(call, input, requireLinkifier(call, id));
    call.db.updateRow('linkifier', id, linkifierColumns(definition));
    emitLinkifiers(call);
  }),
  route(endpoints.removeLinkifier, 'admin', (call, {filter_id: id}) => {
    call.db.run('DELETE FROM linkifier WHERE id = ?', requireLinkifier(call, id).id);
    emitLinkifiers(call);
  }),
  route(endpoints.reorderLinkifiers, 'admin', (call, {ordered_linkifier_ids: ids}) => {
    const all = new Set(call.server.derivedFacts.get(linkifierRows).map(({id}) => id));
    if (ids.length !== all.size || !new Set(ids).isSubsetOf(all) || new Set(ids).size !== ids.length) {
      throw badRequest('The ordered list must enumerate all existing linkifiers exactly once');
    }
    storeOrder(call.db, 'linkifier', ids);
    emitLinkifiers(call);
  }),

  route(endpoints.getProfileFields, 'account', ({db}) => ({custom_fields: profileFieldViews(db)})),
  route(endpoints.createProfileField, 'admin', (call, params) => ({id: createField(call, params.field_type, params)})),
  // The list must have all of the fields; as on Zulip's servers, it may have others.
  route(endpoints.reorderProfileFields, 'admin', (call, {order}) => {
    if (!listProfileFields(call.db).every(({id}) => order.includes(id))) throw badRequest('Invalid order mapping.');
    storeOrder(call.db, 'profile_field', order);
    emitFields(call);
  }),
  route(endpoints.updateProfileField, 'admin', (call, params) =>
    updateField(call, requireProfileField(call, params.field_id), params),
  ),
  // Clients drop the values when the field is gone from the list.
  route(endpoints.removeProfileField, 'admin', (call, params) => {
    const field = requireProfileField(call, params.field_id);
    call.db.run('DELETE FROM profile_value WHERE field_id = ?', field.id);
    call.db.run('DELETE FROM profile_field WHERE id = ?', field.id);
    emitFields(call);
  }),
];

function requireDomain(act: ActionContext, input: string): DomainRow {
  return required(findDomain(act.db, input.trim().toLowerCase()), `No entry found for domain ${input}.`);
}

const maxLanguageLength = 40;

type NewPlayground = Readonly<Record<'name' | 'pygments_language' | 'url_template', string>>;

/** Returns the code playgrounds. A row has the names of the API. */
export function playgrounds(db: Database): WirePlayground[] {
  return db.all<WirePlayground>('SELECT * FROM playground ORDER BY id');
}

type Problem = readonly [field: string, text: string];

/** Returns what is wrong with a new playground, in the words of Zulip's servers. */
function problems({db}: ActionContext, {name, pygments_language: language, url_template}: NewPlayground): Problem[] {
  const found: Problem[] = [];
  const variables = templateVariables(url_template);
  if (url_template === '') found.push(['url_template', blankText]);
  else if (variables === undefined) found.push(['url_template', 'Invalid URL template.']);
  if (name === '') found.push(['name', blankText]);
  if (language === '') found.push(['pygments_language', blankText]);
  if (language.length > maxLanguageLength) {
    const text = `Ensure this value has at most ${maxLanguageLength} characters (it has ${language.length}).`;
    found.push(['pygments_language', text]);
  }
  if (variables !== undefined && !variables.has('code')) {
    found.push(['__all__', 'Missing the required variable "code" in the URL template']);
  } else if (variables !== undefined && variables.size > 1) {
    found.push(['__all__', '"code" should be the only variable present in the URL template']);
  }
  const taken = 'SELECT 1 FROM playground WHERE pygments_language = ? AND name = ?';
  if (db.get(taken, language, name) !== undefined) {
    found.push(['__all__', 'Realm playground with this Realm, Pygments language and Name already exists.']);
  }
  return found;
}

function errorsOf(found: readonly Problem[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const [field, text] of found) errors[field] = [...(errors[field] ?? []), text];
  return errors;
}

function emitPlaygrounds(act: ActionContext): void {
  act.emit('realm_playgrounds', 'everyone', {realm_playgrounds: playgrounds(act.db)});
}

/** Of the optional fields, undefined keeps the current value, and empty removes it. */
type LinkifierInput = ParamsOf<typeof endpoints.addLinkifier>;

export function addLinkifier(act: ActionContext, input: LinkifierInput): number {
  const definition = checkedDefinition(act, input, undefined);
  const id = act.db.insertRow('linkifier', {
    ...linkifierColumns(definition),
    sort_order: nextPosition(act.db, 'linkifier'),
  });
  emitLinkifiers(act);
  return id;
}

function requireLinkifier(act: ActionContext, id: number): LinkifierRow {
  const row = act.server.derivedFacts.get(linkifierRows).find((linkifier) => linkifier.id === id);
  if (row === undefined) throw badRequest('Linkifier not found.');
  return row;
}

function checkedDefinition(
  act: ActionContext,
  input: LinkifierInput,
  current: LinkifierRow | undefined,
): LinkifierDefinition {
  if ((input.reverse_template ?? '').trim() !== '' && (input.example_input ?? '').trim() === '') {
    throw badRequest('Example text is required when auto-conversion field is set.', {
      required_parameter: 'Example text',
      set_parameter: 'auto-conversion field',
    });
  }
  const definition: LinkifierDefinition = {
    pattern: input.pattern.trim(),
    urlTemplate: input.url_template.trim(),
    exampleInput: optionalText(input.example_input, current?.example_input),
    reverseTemplate: optionalText(input.reverse_template, current?.reverse_template),
    alternativeUrlTemplates: input.alternative_url_templates ?? JSON.parse(current?.alternative_url_templates ?? '[]'),
  };
  const others = act.server.derivedFacts.get(linkifierRows).filter(({id}) => id !== current?.id);
  const problem = linkifierProblem(
    definition,
    others.map((row) => ({pattern: row.pattern, urlTemplate: row.url_template})),
  );
  if (problem !== undefined) throw badRequest(problem.text, {errors: problemsByField(definition, problem)});
  return definition;
}

/** Returns the problem under the name of its field; a blank field may also lack the groups of the other one. */
function problemsByField(definition: LinkifierDefinition, problem: LinkifierProblem): Record<string, string[]> {
  const errors = {[errorKey(problem)]: [problem.text]};
  if (problem.text !== blankText) return errors;
  const filled = {pattern: definition.pattern || 'x', urlTemplate: definition.urlTemplate || 'https://x.example'};
  const other = linkifierProblem({...definition, ...filled}, []);
  return other === undefined ? errors : {...errors, [errorKey(other)]: [other.text]};
}

/** Blank fields are errors of that field; all others are about the linkifier as a whole. */
function errorKey({field, text}: LinkifierProblem): string {
  if (text !== blankText) return '__all__';
  return field === 'pattern' ? 'pattern' : 'url_template';
}

/** Returns the trimmed text or null. Clients that JSON-encode all other types send the text `null` for null. */
function optionalText(input: string | undefined, current: string | null | undefined): string | null {
  if (input === undefined) return current ?? null;
  const text = input.trim();
  return text === '' || text === 'null' ? null : text;
}

function linkifierColumns(definition: LinkifierDefinition) {
  return {
    pattern: definition.pattern,
    url_template: definition.urlTemplate,
    example_input: definition.exampleInput ?? null,
    reverse_template: definition.reverseTemplate ?? null,
    alternative_url_templates: JSON.stringify(definition.alternativeUrlTemplates ?? []),
  };
}

/** Emits the linkifiers to all clients, also to those without URL templates, whose snapshots have none. */
function emitLinkifiers(act: ActionContext): void {
  act.server.derivedFacts.invalidate(linkifierRows);
  act.server.derivedFacts.invalidate(compiledLinkifiers);
  act.emit('realm_linkifiers', 'everyone', {realm_linkifiers: linkifierViews(act.server)});
}

const maxFieldNameLength = 40;
const maxHintLength = 80;
const maxInSummary = 2;
const pronounsHint = 'What pronouns should people use to refer to you?';

type ProfileFieldInput = Partial<ParamsOf<typeof endpoints.updateProfileField>>;

function createField(act: ActionContext, type: number, input: ProfileFieldInput): number {
  if (input.display_in_profile_summary === true) checkSummaryLimit(act, undefined);
  const fieldData = checkedFieldData(type, input.field_data);
  const account = type === profileFieldTypes.externalAccount ? externalAccount(input.field_data?.subtype) : undefined;
  const row = {
    ...checkedTexts(
      account?.name ?? input.name ?? '',
      account?.hint ?? input.hint ?? (type === profileFieldTypes.pronouns ? pronounsHint : ''),
    ),
    type,
    field_data: fieldData,
    required: Number(input.required ?? false),
    editable_by_user: Number(input.editable_by_user ?? true),
    display_in_profile_summary: Number(input.display_in_profile_summary ?? false),
    use_for_user_matching: Number(input.use_for_user_matching ?? false),
  };
  if (!Object.values<number>(profileFieldTypes).includes(type)) throw badRequest('Invalid field type.');
  if (row.display_in_profile_summary === 1) checkSummaryType(type);
  if (row.use_for_user_matching === 1) checkMatching(type);
  checkFieldNameFree(act, row.name, undefined);
  const id = act.db.insertRow('profile_field', {...row, sort_order: nextPosition(act.db, 'profile_field')});
  emitFields(act);
  return id;
}

function updateField(act: ActionContext, field: ProfileFieldRow, input: ProfileFieldInput): void {
  if (input.display_in_profile_summary === true) checkSummaryLimit(act, field.id);
  checkFixed(field, input);
  const flag = (input: boolean | undefined, current: number) => (input === undefined ? current : Number(input));
  const inSummary = flag(input.display_in_profile_summary, field.display_in_profile_summary);
  const fieldData = input.field_data === undefined ? field.field_data : checkedFieldData(field.type, input.field_data);
  const {name, hint} = checkedTexts(input.name ?? field.name, input.hint ?? field.hint);
  if (inSummary === 1) checkSummaryType(field.type);
  if (input.use_for_user_matching === true) checkMatching(field.type);
  checkFieldNameFree(act, name, field.id);
  act.db.updateRow('profile_field', field.id, {
    name,
    hint,
    field_data: fieldData,
    required: flag(input.required, field.required),
    editable_by_user: flag(input.editable_by_user, field.editable_by_user),
    display_in_profile_summary: inSummary,
    use_for_user_matching: flag(input.use_for_user_matching, field.use_for_user_matching),
  });
  if (field.type === profileFieldTypes.dropdown) clearRemovedChoices(act, field.id, fieldData);
  emitFields(act);
}

function requireProfileField(act: ActionContext, id: number): ProfileFieldRow {
  return required(findProfileField(act.db, id), `Field id ${id} not found.`);
}

/** Throws if the input changes a field for a well-known service, whose name the server determines. */
function checkFixed(field: ProfileFieldRow, input: ProfileFieldInput): void {
  if (field.type !== profileFieldTypes.externalAccount) return;
  const data: {subtype?: unknown} = JSON.parse(field.field_data);
  if (externalAccount(data.subtype) === undefined) return;
  const changed =
    (input.name !== undefined && input.name !== field.name) ||
    (input.hint !== undefined && input.hint !== field.hint) ||
    (input.field_data !== undefined && input.field_data.subtype !== data.subtype);
  if (changed) throw badRequest('Default custom field cannot be updated.');
}

function checkedTexts(label: string, hint: string): {name: string; hint: string} {
  const name = label.trim();
  if (name === '') throw badRequest('Label cannot be blank.');
  for (const [what, text, limit] of [
    ['hint', hint, maxHintLength] as const,
    ['name', name, maxFieldNameLength] as const,
  ]) {
    if ([...text].length > limit) throw badRequest(`${what} is too long (limit: ${limit} characters)`);
  }
  if (forbiddenInNames.test(name)) throw badRequest('Invalid character in label.');
  return {name, hint};
}

function checkFieldNameFree(act: ActionContext, name: string, ownId: number | undefined): void {
  const taken = listProfileFields(act.db).some((field) => field.name === name && field.id !== ownId);
  if (taken) throw badRequest('A field with that label already exists.');
}

function checkSummaryType(type: number): void {
  if (type === profileFieldTypes.user) throw badRequest('Field type not supported for display in profile summary.');
}

function checkSummaryLimit(act: ActionContext, ownId: number | undefined): void {
  const others = listProfileFields(act.db).filter(
    (field) => field.display_in_profile_summary === 1 && field.id !== ownId,
  );
  if (others.length >= maxInSummary) {
    throw badRequest(`Only ${maxInSummary} custom profile fields can be displayed in the profile summary.`);
  }
}

/** The types whose values do not name a user. */
const notForMatching: ReadonlySet<number> = new Set([
  profileFieldTypes.paragraph,
  profileFieldTypes.date,
  profileFieldTypes.url,
  profileFieldTypes.user,
  profileFieldTypes.pronouns,
]);

function checkMatching(type: number): void {
  if (notForMatching.has(type)) throw badRequest('Field type not supported for use for user matching.');
}

/** Clears the values of users whose choice no longer exists. */
function clearRemovedChoices(act: ActionContext, fieldId: number, fieldData: string): void {
  const choices = JSON.stringify(Object.keys(JSON.parse(fieldData)));
  const sql = 'FROM profile_value WHERE field_id = ? AND value NOT IN (SELECT value FROM json_each(?))';
  const people = act.db.pluck(`SELECT user_id ${sql}`, fieldId, choices);
  act.db.run(`DELETE ${sql}`, fieldId, choices);
  for (const id of people) {
    emitUserUpdate(act, reloadUser(act, id), {custom_profile_field: {id: fieldId, value: null}});
  }
}

function emitFields(act: ActionContext): void {
  act.emit('custom_profile_fields', 'everyone', {fields: profileFieldViews(act.db)});
}
