import {apiPrefix} from '#server/http/listener-options.ts';
import type {Access, Route} from '#server/route.ts';
import {routes, webRoutes} from '#server/routes.ts';
import {minimumLevel} from '#wire/levels.ts';

interface Row {
  readonly path: string;
  readonly method: string;
  readonly levels: string;
  readonly callers: string;
}

/** Returns the table of the server's endpoints, made from its routes. */
export function endpointsMarkdown(): string {
  const rows = [...routes.map(apiRow), ...webRoutes.map(webRow)];
  const sortKey = ({path, method}: Row) => `${path} ${method}`;
  const lines = rows
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map(({path, method, levels, callers}) => `| ${method} | \`${path}\` | ${levels} | ${callers} |`);
  return ['| method | path | levels | callers |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

const callersByAccess: Readonly<Record<Access, string>> = {
  public: 'everybody',
  visitor: 'accounts, visitors',
  webhook: 'accounts, incoming webhooks',
  account: 'accounts',
  bot: 'bots',
  person: 'people',
  member: 'members',
  'member-person': 'members who are no bots',
  'group-creator': 'those who may create groups',
  admin: 'administrators',
  owner: 'owners',
};

function apiRow({endpoint: {method, path, since, until}, access}: Route): Row {
  const first = since > minimumLevel ? [`from ${since}`] : [];
  const last = until === undefined ? [] : [`below ${until}`];
  return {method, path: apiPrefix + path, levels: [...first, ...last].join(', '), callers: callersByAccess[access]};
}

/** Each of these routes decides itself who may call it. */
function webRow({method, path}: (typeof webRoutes)[number]): Row {
  return {method, path: path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}'), levels: '', callers: ''};
}
