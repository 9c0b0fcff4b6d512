import {blankText, templateVariables} from '#content/linkifier-validation.ts';
import type {ActionContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {badRequest} from '#server/http/errors.ts';
import type {WirePlayground} from '#wire/objects/playground.ts';

const maxLanguageLength = 40;

type NewPlayground = Readonly<Record<'name' | 'pygments_language' | 'url_template', string>>;

/** Returns the code playgrounds. A row has the names of the API. */
export function playgrounds(db: Database): WirePlayground[] {
  return db.all<WirePlayground & Record<string, unknown>>('SELECT * FROM playground ORDER BY id');
}

export function addPlayground(act: ActionContext, input: NewPlayground): number {
  const playground: NewPlayground = {
    name: input.name.trim(),
    pygments_language: input.pygments_language.trim(),
    url_template: input.url_template.trim(),
  };
  const [problem] = problems(act, playground);
  if (problem !== undefined) throw badRequest(problem[1], {errors: errorsOf(problems(act, playground))});
  const {name, pygments_language, url_template} = playground;
  const id = act.db.insertRow('playground', {name, pygments_language, url_template});
  emitPlaygrounds(act);
  return id;
}

export function removePlayground(act: ActionContext, id: number): void {
  if (act.db.run('DELETE FROM playground WHERE id = ?', id) === 0) throw badRequest('Invalid playground');
  emitPlaygrounds(act);
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
  if (!/^[ a-zA-Z0-9_+\-./#]*$/.test(language)) {
    found.push(['pygments_language', 'Invalid characters in pygments language']);
  }
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
  act.emit({type: 'realm_playgrounds', to: 'everyone', body: {realm_playgrounds: playgrounds(act.db)}});
}
