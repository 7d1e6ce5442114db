// Node-RED for this machine alone: nothing is asked of the network, nothing pops up by itself.
module.exports = {
  uiHost: "127.0.0.1",
  uiPort: Number(process.env.PORT),
  flowFile: "flows.json",
  credentialSecret: false,
  telemetry: { enabled: false, updateNotification: false },
  diagnostics: { enabled: false },
  externalModules: { autoInstall: false, palette: { allowInstall: false, allowUpload: false }, modules: { allowInstall: false } },
  logging: { console: { level: "error", metrics: false, audit: false } },
  functionExternalModules: false,
  editorTheme: {
    tours: false,
    projects: { enabled: false },
    codeEditor: { lib: "ace" },
    multiplayer: { enabled: false },
    page: { scripts: [require("path").join(__dirname, "steady.js")] },
  },
};
