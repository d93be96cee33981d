set -e
mkdir -p tmp home/.gstack/projects/acme-app/evals/shards/acme-app home/.gstack-dev/e2e-runs/1
cp eval.json home/.gstack/projects/acme-app/evals/1.68.3.0-feat-terse-e2e-2025-08-15-1030.json
sed s/10:30/10:31/ eval.json >home/.gstack/projects/acme-app/evals/shards/acme-app/1.68.3.0-feat-terse-e2e-2025-08-15-1030.json
mkdir -p home/.gstack/projects/other-tool/evals home/.gstack-dev/evals
cp eval.json home/.gstack/projects/other-tool/evals/x.json
sed 's/"schema_version"/"_partial":true,"schema_version"/' eval.json >home/.gstack/projects/acme-app/evals/_partial-e2e.json
sed s/10:30/11:30/ eval.json >home/.gstack-dev/evals/1.68.3.0-main-e2e-2025-08-15-1130.json
echo '{' >home/.gstack-dev/evals/torn.json
echo '{}' >home/.gstack-dev/e2e-live.json
cp home/.gstack/greptile-history.md home/.gstack/projects/acme-app/
cd app
git init -q
git remote add origin https://github.com/acme/app.git
