import {blankText, templateVariables} from '#content/linkifier-validation.ts';
import type {ActionContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {badRequest, check} from '#server/errors.ts';
import {type Route, route} from '#server/route.ts';
import type {WirePlayground} from '#wire/objects/organization.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

export const playgroundRoutes: readonly Route[] = [
  route(otherEndpoints.addPlayground, 'admin', (call, input) => {
    const playground: NewPlayground = {
      name: input.name.trim(),
      pygments_language: input.pygments_language.trim(),
      url_template: input.url_template.trim(),
    };
    const [wrong] = /[^a-zA-Z0-9_+\-./#]/u.exec(playground.pygments_language) ?? [];
    check(wrong === undefined, `Invalid character in language: ${wrong}`);
    const found = problems(call, playground);
    const [problem] = found;
    if (problem !== undefined) throw badRequest(problem[1], {errors: errorsOf(found)});
    const id = call.db.insertRow('playground', playground);
    emitPlaygrounds(call);
    return {id};
  }),
  route(otherEndpoints.removePlayground, 'admin', (call, {playground_id: id}) => {
    check(call.db.deleteRows('playground', {id}) !== 0, 'Invalid playground');
    emitPlaygrounds(call);
  }),
];

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
  if (db.has('playground', {pygments_language: language, name})) {
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
