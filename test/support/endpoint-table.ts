import {apiPrefix} from '#server/http/listener-options.ts';
import {routes, webRoutes} from '#server/routes.ts';
import type {Endpoint} from '#wire/endpoint.ts';
import {minimumLevel} from '#wire/levels.ts';

interface Row {
  readonly path: string;
  readonly method: string;
  readonly levels: string;
  readonly login: string;
}

/** Returns the table of the server's endpoints, made from its routes. */
export function endpointsMarkdown(): string {
  const rows = [...routes.map(({endpoint}) => apiRow(endpoint)), ...webRoutes.map(webRow)];
  const sortKey = ({path, method}: Row) => `${path} ${method}`;
  const lines = rows
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map(({path, method, levels, login}) => `| ${method} | \`${path}\` | ${levels} | ${login} |`);
  return ['| method | path | levels | login |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

function apiRow({method, path, auth, since, until}: Endpoint): Row {
  const first = since > minimumLevel ? [`from ${since}`] : [];
  const last = until === undefined ? [] : [`below ${until}`];
  const login = {user: 'yes', key: 'API key of a bot', optional: 'optional', none: 'no'}[auth];
  return {method, path: apiPrefix + path, levels: [...first, ...last].join(', '), login};
}

/** Each of these routes decides itself what needs a login. */
function webRow({method, path}: (typeof webRoutes)[number]): Row {
  return {method, path: path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}'), levels: '', login: ''};
}
