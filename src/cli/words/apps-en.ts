/** What is said about apps by which stores are connected. */
export const appsInEnglish = {
  none: (command: string) => `There is no app yet: \`orderbridge ${command} add\` keeps one.`,
  next: (command: string, id: string) =>
    `\`orderbridge ${command} print ${id}\` prints its configuration file; once that is deployed, merchants connect their stores by the installLink.`,
  publicUrl: 'Set PUBLIC_URL to the address under which the internet reaches this server: the addresses of the app are not known without it.',
  removed: (id: string) => `The app ${id} is removed, and its secret forgotten: nothing is taken at its address any more.`,
  both: (id: string, until: string) => `For the app ${id} both secrets are live until ${until}.`,
  now: 'Revoke the old one at the platform before then.',
  alone: (id: string) => `The app ${id} takes the new secret alone, from now on.`,
};
