// The report: the audit stands in the page itself.
document.querySelector(".top").append(VisCritic.themeButton());
VisCritic.showAudit(document.querySelector("main"), JSON.parse(document.getElementById("audit").textContent));
